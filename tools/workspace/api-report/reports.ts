import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages, selectPackages } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';
import { emitDeclarations } from './emit-declarations.js';
import { renderReport } from './render-report.js';

/** Compares api-report.md of the interface packages below `paths` with their sources; one line per difference. */
export function checkReports(paths: readonly string[]): string[] {
  return currentReports(paths).flatMap(({ file, text }) => {
    const absolute = path.join(repositoryRoot, file);
    if (!existsSync(absolute)) return [`${file} is missing: run npm run api-report`];
    const committed = readFileSync(absolute, 'utf8');
    return committed === text ? [] : [`${file} differs ${firstDifference(committed, text)}: run npm run api-report`];
  });
}

/** Writes the reports that differ and returns their paths. */
export function writeReports(paths: readonly string[]): string[] {
  return currentReports(paths).flatMap(({ file, text }) => {
    const absolute = path.join(repositoryRoot, file);
    if (existsSync(absolute) && readFileSync(absolute, 'utf8') === text) return [];
    writeFileSync(absolute, text);
    return [file];
  });
}

function currentReports(paths: readonly string[]): { file: string; text: string }[] {
  const packages = selectPackages(listPackages(), paths).filter(({ type }) => type === 'interface');
  const declarations = emitDeclarations(packages);
  return packages.map((pkg) => ({ file: `${pkg.folder}/api-report.md`, text: renderReport(pkg, declarations) }));
}

function firstDifference(committed: string, current: string): string {
  const before = committed.split('\n');
  const after = current.split('\n');
  const at = after.findIndex((line, index) => line !== before[index]);
  const line = at === -1 ? after.length : at;
  return `from line ${line + 1} (committed "${before[line] ?? ''}", now "${after[line] ?? ''}")`;
}
