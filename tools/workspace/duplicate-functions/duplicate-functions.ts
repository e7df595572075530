import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages, sourceFiles } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';
import { topLevelFunctions, type TopLevelFunction } from './top-level-functions.js';

/** One source file. */
export interface SourceText {
  readonly packageName: string;
  /** File name for messages. */
  readonly file: string;
  readonly text: string;
}

interface Located extends TopLevelFunction {
  readonly source: SourceText;
}

// Share of common tokens. Functions of one name with less in common do different things.
const alike = 0.8;
// A private function of this many tokens is hardly written twice by chance.
const shortestPrivate = 20;
// Shorter functions, such as `() => undefined`, do not count.
const shortest = 10;
// Finds function names quickly; only files with a name that another package also has are parsed.
const declarations = /^(?:export )?(?:async )?(?:function\*? |const )(\w+)/gm;

/** Checks the published sources of all packages; contract suites, fixtures and simulations do not count. */
export function checkDuplicateFunctions(root: string = repositoryRoot): string[] {
  const sources = listPackages(root).flatMap(({ name, folder }) =>
    sourceFiles(folder, false, root)
      .filter((file) => !/\/(?:contract|fixtures|simulation|generated)\//.test(file))
      .map((file) => ({ packageName: name, file, text: readFileSync(path.join(root, file), 'utf8') })),
  );
  return duplicateFunctions(sources);
}

/** Functions with the same name, ignoring case, and similar bodies in two packages; one line per pair. */
export function duplicateFunctions(sources: readonly SourceText[]): string[] {
  const faults: string[] = [];
  for (const group of sameNames(sources).values()) {
    group.forEach((first, index) => {
      for (const second of group.slice(index + 1)) {
        if (first.source.packageName === second.source.packageName || !areCopies(first, second)) continue;
        const place = ({ source, line }: Located): string => `${source.file}:${line}`;
        faults.push(`${place(second)}: ${second.name} is also in ${place(first)}: give it one home in libs/foundation`);
      }
    });
  }
  return faults.sort();
}

/** Functions by lower-case name, for names in more than one package. */
function sameNames(sources: readonly SourceText[]): ReadonlyMap<string, readonly Located[]> {
  const packagesByName = new Map<string, Set<string>>();
  const namesOf = new Map<SourceText, readonly string[]>();
  for (const source of sources) {
    const names = [...source.text.matchAll(declarations)].map(([, name = '']) => name.toLowerCase());
    namesOf.set(source, names);
    for (const name of names) packagesByName.set(name, (packagesByName.get(name) ?? new Set()).add(source.packageName));
  }
  const isShared = (name: string): boolean => (packagesByName.get(name)?.size ?? 0) > 1;
  const groups = new Map<string, Located[]>();
  for (const source of sources) {
    if (!namesOf.get(source)?.some(isShared)) continue;
    for (const found of topLevelFunctions(source.text)) {
      const name = found.name.toLowerCase();
      if (isShared(name)) groups.set(name, [...(groups.get(name) ?? []), { ...found, source }]);
    }
  }
  return groups;
}

function areCopies(first: Located, second: Located): boolean {
  const length = Math.min(first.tokens.length, second.tokens.length);
  if (length < (first.isExported && second.isExported ? shortest : shortestPrivate)) return false;
  return likeness(first.tokens, second.tokens) >= alike;
}

/** Similarity of two token sequences: 1 when equal, 0 without three tokens in a row in common. */
function likeness(first: readonly string[], second: readonly string[]): number {
  const left = runs(first);
  let common = 0;
  for (const [run, count] of runs(second)) common += Math.min(count, left.get(run) ?? 0);
  return (2 * common) / (first.length + second.length - 2 * (runLength - 1));
}

const runLength = 3;

function runs(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + runLength <= tokens.length; at++) {
    const run = tokens.slice(at, at + runLength).join('\n');
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}
