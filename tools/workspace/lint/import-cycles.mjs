import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

// Only relative imports: the boundary rule rejects cycles between packages. Each ESLint run reads a file once.
const imports = new Map();

/** Source files that `file` imports by a relative path, type-only imports included. */
function importsOf(file) {
  let found = imports.get(file);
  if (found === undefined) {
    const names = ts
      .preProcessFile(readFileSync(file, 'utf8'), true, true)
      .importedFiles.map(({ fileName }) => fileName);
    found = names.map((name) => sourceOf(file, name)).filter((source) => source !== undefined);
    imports.set(file, found);
  }
  return found;
}

function sourceOf(importer, name) {
  if (!name.startsWith('.')) return undefined;
  const file = path.resolve(path.dirname(importer), name);
  return [file.replace(/\.js$/, '.ts'), file].find(existsSync);
}

/** The shortest chain of imports between two files, both included; undefined when there is none. */
function chainBetween(from, to) {
  const before = new Map([[from, undefined]]);
  for (const file of before.keys()) {
    if (file === to) {
      const chain = [];
      for (let step = file; step !== undefined; step = before.get(step)) chain.unshift(step);
      return chain;
    }
    for (const next of importsOf(file)) if (!before.has(next)) before.set(next, file);
  }
  return undefined;
}

/**
 * An ESLint rule against import cycles. `import-x/no-cycle` ignores cycles of type-only imports, which are just as hard
 * to read and to separate.
 */
export const noImportCycles = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { cycle: 'These files import each other: {{chain}}. Put what both need into a file of its own.' },
  },
  create({ filename, report }) {
    const check = (node) => {
      const target = node.source && sourceOf(filename, node.source.value);
      const chain = target && chainBetween(target, filename);
      if (!chain) return;
      const names = [filename, ...chain].map((file) => path.relative(path.dirname(filename), file));
      report({ node, messageId: 'cycle', data: { chain: names.join(' -> ') } });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check };
  },
};
