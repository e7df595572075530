import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { listPackages, sourceFiles } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';

/** One source file. */
export interface SourceText {
  /** File name for messages. */
  readonly file: string;
  readonly text: string;
}

const suiteName = /\bdescribe\w+Contract\b/g;

/** Finds the contract suites that packages export and whose cases no spec shows to be able to fail; one line each. */
export function checkContractProofs(root: string = repositoryRoot): string[] {
  const packages = listPackages(root);
  const read = (file: string): SourceText => ({ file, text: readFileSync(path.join(root, file), 'utf8') });
  const indexes = packages
    .map(({ folder }) => `${folder}/src/contract/index.ts`)
    .filter((file) => existsSync(path.join(root, file)));
  const specs = packages
    .flatMap(({ folder }) => sourceFiles(folder, true, root))
    .filter((file) => file.endsWith('.spec.ts'));
  return unprovenSuites(indexes.map(read), specs.map(read));
}

/** The suites in `indexes` that no `describeContractProof` in `specs` runs. */
export function unprovenSuites(indexes: readonly SourceText[], specs: readonly SourceText[]): string[] {
  const proven = new Set(specs.flatMap(({ text }) => provenSuites(text)));
  return indexes
    .flatMap(({ file, text }) => [...new Set(text.match(suiteName))].map((name) => ({ file, name })))
    .filter(({ name }) => !proven.has(name))
    .map(({ file, name }) => `${file}: ${name}: no describeContractProof shows that each of its cases can fail`);
}

/** The suites named in the second argument of each `describeContractProof`. */
function provenSuites(text: string): readonly string[] {
  if (!text.includes('describeContractProof(')) return [];
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'describeContractProof') {
      found.push(...(node.arguments[1]?.getText(source).match(suiteName) ?? []));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
