import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages, selectPackages } from '../packages.js';
import type { Manifest, WorkspacePackage } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';
import { changeTableFaults } from './change-table-faults.js';
import { dependencyFaults } from './dependency-faults.js';
import type { DependencyContext, DependencyFault } from './dependency-faults.js';
import { fixManifest } from './fix-manifest.js';
import { publishedImports } from './imports.js';
import { shapeFaults } from './shape-faults.js';

/**
 * Checks the packages below `paths` (all packages without paths) and returns one line per fault. With `fix`, corrects
 * what it can first.
 */
export function checkManifests(paths: readonly string[], fix: boolean): string[] {
  const all = listPackages();
  const context = { workspace: new Map(all.map((pkg) => [pkg.name, pkg])), npmRanges: npmRanges(all) };
  return selectPackages(all, paths).flatMap((pkg) =>
    (fix ? fixed(pkg, context) : faultsOf(pkg, context)).map((fault) => `${pkg.folder}: ${fault}`),
  );
}

function faultsOf(pkg: WorkspacePackage, context: DependencyContext): string[] {
  const dependencies = dependencyFaults(pkg, publishedImports(pkg.folder), context);
  return [
    ...shapeFaults(pkg, (name) => readFile(pkg.folder, name)),
    ...changeTableFaults(pkg, readFile(pkg.folder, 'README.md') ?? ''),
    ...dependencies.map(describeFault),
  ];
}

function fixed(pkg: WorkspacePackage, context: DependencyContext): string[] {
  const faults = dependencyFaults(pkg, publishedImports(pkg.folder), context);
  const file = path.join(repositoryRoot, pkg.folder, 'package.json');
  if (faults.length > 0) writeFileSync(file, fixManifest(readFileSync(file, 'utf8'), faults));
  const changelog = path.join(repositoryRoot, pkg.folder, 'CHANGELOG.md');
  if (!existsSync(changelog)) writeFileSync(changelog, `# Changelog of ${pkg.name}\n`);
  for (const fault of faults) console.log(`fixed ${pkg.folder}: ${describeFault(fault)}`);
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  return faultsOf({ ...pkg, manifest }, context);
}

/**
 * One version range per npm package: the root's pinned version as a caret range, else the range of the first package
 * that has one. A different range could install a second copy, and object identity relies on a single one.
 */
function npmRanges(packages: readonly WorkspacePackage[]): Map<string, string> {
  const root = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const pinned = Object.entries(root.devDependencies).filter(([, version]) => /^\d/.test(version));
  const ranges = new Map(pinned.map(([name, version]) => [name, `^${version}`]));
  for (const { manifest } of packages) {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (!name.startsWith('@podwright/') && !ranges.has(name)) ranges.set(name, range);
    }
  }
  return ranges;
}

function readFile(folder: string, name: string): string | undefined {
  const file = path.join(repositoryRoot, folder, name);
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
}

function describeFault(fault: DependencyFault): string {
  switch (fault.kind) {
    case 'missing':
      return `${fault.section} must name "${fault.dependency}": "${fault.range}" (imported by ${fault.file})`;
    case 'unused':
      return `${fault.section} names "${fault.dependency}", which no published source imports`;
    case 'range':
      return `${fault.section}: "${fault.dependency}" must be "${fault.range}", not "${fault.actual}"`;
    case 'section':
      return `"${fault.dependency}" is the interface this implements: it belongs to ${fault.section} as "${fault.range}"`;
  }
}
