import { existsSync } from 'node:fs';
import path from 'node:path';
import type { WorkspacePackage } from '../packages.js';
import { DeclarationReader } from './declarations.js';
import type { Declaration } from './declarations.js';

/**
 * The text of api-report.md: for each entry point its exports in order, then the declarations that they use without
 * exporting them.
 */
export function renderReport({ name, folder, manifest }: WorkspacePackage, declarationsFolder: string): string {
  const reader = new DeclarationReader();
  const sections = Object.entries(manifest.exports ?? {}).flatMap(([entry, conditions]) => {
    const source = typeof conditions === 'string' ? undefined : conditions['podwright-source'];
    if (source === undefined) return [];
    const file = path.join(declarationsFolder, folder, source.replace(/\.ts$/, '.d.ts'));
    if (!existsSync(file)) throw new Error(`${folder}: exports["${entry}"] has no declarations; does ${source} exist?`);
    return [renderEntry(name + entry.slice(1), reader.exportsOf(file), reader)];
  });
  return `# Public surface of ${name}

Written by \`npm run api-report\`. A change here is a change for everyone who implements or calls this: review it as one.

${sections.join('\n')}`;
}

function renderEntry(
  specifier: string,
  exported: ReadonlyMap<string, readonly Declaration[]>,
  reader: DeclarationReader,
): string {
  const generated: string[] = [];
  const foreign: string[] = [];
  const shown = new Set<string>();
  const queue: Declaration[] = [];
  for (const [name, declarations] of exported) {
    if (declarations.length === 0) foreign.push(name);
    for (const declaration of declarations) {
      if (isGenerated(declaration)) generated.push(name);
      else if (!shown.has(declaration.text)) {
        shown.add(declaration.text);
        queue.push(declaration);
      }
    }
  }
  const hidden: string[] = [];
  for (let declaration = queue.shift(); declaration !== undefined; declaration = queue.shift()) {
    for (const used of reader.usedBy(declaration)) {
      if (shown.has(used.text) || hidden.includes(used.text) || isGenerated(used)) continue;
      hidden.push(used.text);
      queue.push(used);
    }
  }
  return [
    `## \`${specifier}\`\n`,
    ...(shown.size > 0 ? [codeBlock([...shown])] : []),
    ...(hidden.length > 0 ? ['Used above, not exported:\n', codeBlock(hidden)] : []),
    ...(generated.length > 0 ? [`From generated code: ${names(generated)}\n`] : []),
    ...(foreign.length > 0 ? [`From other packages: ${names(foreign)}\n`] : []),
  ].join('\n');
}

// Compiled .proto files are too long for a review; reviewers read the .proto file.
const isGenerated = ({ file }: Declaration): boolean => file.includes('/generated/');
const codeBlock = (texts: readonly string[]): string => `\`\`\`ts\n${texts.join('\n')}\n\`\`\`\n`;
const names = (list: readonly string[]): string => [...new Set(list)].map((name) => `\`${name}\``).join(', ');
