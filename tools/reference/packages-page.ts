import { listPackages } from '../workspace/packages.js';
import { alignedTable } from './aligned-table.js';

const intro = `# Packages

Every package with its folder, by folder. An implementation in \`default\` has its interface, with the contract suite, in the
\`interface\` beside it; one without an \`interface\` implements those of others, its README says which. This page is made from each
\`package.json\` by \`node tools/bootstrap/run.mjs tools/reference/main.ts\`.
`;

/** The page docs/packages.md. */
export function packagesPage(): string {
  const rows = listPackages().map(({ name, folder, manifest }) => [
    `[${name}](../${folder})`,
    `\`${folder}\``,
    cell(manifest.description ?? ''),
  ]);
  return `${intro}\n${alignedTable([['package', 'folder', 'what it is'], ...rows])}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
