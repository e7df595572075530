import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ImportGraph } from './import-graph.js';

const isSpec = (file: string): boolean => file.endsWith('.spec.ts');
const isCode = (file: string): boolean => /^(apps|libs|tools|examples)\//.test(file);
/** What every spec runs with. */
const isCommon = (file: string): boolean =>
  /^((package|package-lock|nx|tsconfig[^/]*)\.json|jest\.config\.mjs)$/.test(file);
/** Pages of packages, and all beside the folders with code. */
const isPage = (file: string): boolean => file.endsWith('.md') || (!isCode(file) && !isCommon(file));

/** Specs that may have another result, and why each group of them was chosen. */
export interface AffectedSpecs {
  readonly specs: readonly string[];
  readonly reasons: readonly string[];
}

/**
 * Chooses the specs for changed files: those that changed, and those whose imports lead to a change. A change of what
 * nothing imports, such as a fixture or a package.json, counts as one of every module of its package (outside of
 * packages, of its folder). What every spec runs with, such as the configuration of jest, affects everything; a page
 * affects the specs that name pages.
 */
export function affectedSpecs(changed: readonly string[], graph: ImportGraph, root: string): AffectedSpecs {
  const all = graph.files.filter((file) => isSpec(file) && !file.includes('/fixtures/'));
  const everywhere = changed.find(isCommon);
  if (everywhere !== undefined)
    return { specs: all, reasons: [`all ${all.length}: ${everywhere} is what every spec runs with`] };

  const specs = new Set<string>();
  const reasons: string[] = [];
  const choose = (found: readonly string[], why: string): void => {
    const more = found.filter((file) => !specs.has(file));
    for (const file of more) specs.add(file);
    if (more.length > 0) reasons.push(`${more.length} ${why}`);
  };
  const modules = changed.filter((file) => !isPage(file) && (isSpec(file) || graph.isImported(file)));
  const others = changed.filter((file) => !isPage(file) && !modules.includes(file));
  choose(
    all.filter((file) => changed.includes(file)),
    'that differ themselves',
  );
  const leading = graph.leadingTo(modules);
  choose(
    all.filter((file) => leading.has(file)),
    'whose imports lead to a file that differs',
  );
  for (const folder of new Set(others.map((file) => homeOf(file, graph)))) {
    const inside = graph.files.filter((file) => file.startsWith(`${folder}/`) && !isPage(file));
    const reached = graph.leadingTo(inside);
    const what = others.filter((file) => homeOf(file, graph) === folder);
    choose(
      all.filter((file) => reached.has(file)),
      `of ${folder} or with imports that lead there, for nothing imports ${what[0]}${what.length > 1 ? ` and ${what.length - 1} more` : ''}`,
    );
  }
  if (changed.some(isPage))
    choose(
      all.filter((file) => /\.md\b/.test(readFileSync(path.join(root, file), 'utf8'))),
      'that name pages, for a page differs',
    );
  return { specs: [...specs].sort(), reasons };
}

/** The package of a file; without one, the nearest folder with specs. */
function homeOf(file: string, graph: ImportGraph): string {
  const folders = file.split('/').slice(0, -1);
  const above = folders.map((_, index) => folders.slice(0, folders.length - index).join('/'));
  const has = (folder: string, test: (name: string) => boolean): boolean =>
    graph.files.some((each) => path.posix.dirname(each) === folder && test(path.posix.basename(each)));
  const isPackage = (folder: string): boolean =>
    !/^(tools|apps|libs|examples)$/.test(folder) && has(folder, (name) => name === 'package.json');
  return above.find(isPackage) ?? above.find((folder) => has(folder, isSpec)) ?? above[0] ?? file;
}
