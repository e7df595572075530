import { listPackages } from '../workspace/packages.js';
import { alignedTable } from './aligned-table.js';

const intro = `# Packages

Every package, ordered by its folder. An implementation in \`default\` has its interface and contract suite in the \`interface\` beside it. An
implementation without an \`interface\` implements those of other packages; its README says which. [modules.md](modules.md) lists what each
implementation provides, needs and contributes. This page is generated from each
\`package.json\` by \`node tools/bootstrap/run.mjs tools/reference/main.ts\`.
`;

/** The text of docs/packages.md. */
export function packagesPage(): string {
  const rows = listPackages().map(({ name, folder, manifest }) => [
    `[${name}](../${folder})`,
    `\`${folder}\``,
    cell(manifest.description ?? ''),
  ]);
  return `${intro}\n${alignedTable([['package', 'folder', 'what it is'], ...rows])}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
