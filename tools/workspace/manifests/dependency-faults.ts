import type { Manifest, WorkspacePackage } from '../packages.js';

export type DependencyFault =
  | {
      readonly kind: 'missing';
      readonly dependency: string;
      readonly file: string;
      readonly section: Section;
      readonly range: string;
    }
  | { readonly kind: 'unused'; readonly dependency: string; readonly section: Section }
  | {
      readonly kind: 'range';
      readonly dependency: string;
      readonly section: Section;
      readonly range: string;
      readonly actual: string;
    }
  | { readonly kind: 'section'; readonly dependency: string; readonly section: Section; readonly range: string };

export type Section = 'dependencies' | 'peerDependencies';

export interface DependencyContext {
  /** Every workspace package by its npm name. */
  readonly workspace: ReadonlyMap<string, WorkspacePackage>;
  /** The single range for each npm package. */
  readonly npmRanges: ReadonlyMap<string, string>;
}

/** Compares the imports of the sources with the manifest. `imports`: npm name -> a file that imports it. */
export function dependencyFaults(
  { name, folder, manifest }: WorkspacePackage,
  imports: ReadonlyMap<string, string>,
  context: DependencyContext,
): DependencyFault[] {
  const faults: DependencyFault[] = [];
  for (const [dependency, file] of imports) {
    if (dependency === name) continue;
    const expected = expectedEntry(folder, dependency, context);
    const section = sectionOf(manifest, dependency);
    if (section === undefined) {
      faults.push({ kind: 'missing', dependency, file, ...expected });
    } else if (section !== expected.section && isOwnInterface(folder, dependency, context)) {
      faults.push({ kind: 'section', dependency, ...expected });
    }
  }
  for (const section of ['dependencies', 'peerDependencies'] as const) {
    for (const [dependency, actual] of Object.entries(manifest[section] ?? {})) {
      const { range, section: expected } = expectedEntry(folder, dependency, context);
      if (!imports.has(dependency)) faults.push({ kind: 'unused', dependency, section });
      else if (section !== expected && isOwnInterface(folder, dependency, context)) continue; // reported above
      else if (!acceptable(actual, section, dependency, range, context)) {
        faults.push({ kind: 'range', dependency, section, range, actual });
      }
    }
  }
  return faults;
}

/** The section and range that a dependency must have. */
export function expectedEntry(
  folder: string,
  dependency: string,
  { workspace, npmRanges }: DependencyContext,
): { readonly section: Section; readonly range: string } {
  const target = workspace.get(dependency);
  if (target === undefined) {
    const peer = dependency === '@jest/globals';
    return {
      section: peer ? 'peerDependencies' : 'dependencies',
      range: peer ? '>=29' : (npmRanges.get(dependency) ?? '*'),
    };
  }
  if (folder.endsWith('/default') && target.folder === ownInterfaceFolder(folder)) {
    return { section: 'peerDependencies', range: boundedRange(target.manifest.version) };
  }
  return { section: 'dependencies', range: `^${target.manifest.version}` };
}

/**
 * A range up to, but excluding, the next version that may break implementers: the next minor before 1.0.0, then the
 * next major.
 */
export function boundedRange(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `>=${version} <${major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`}`;
}

function acceptable(
  actual: string,
  section: Section,
  dependency: string,
  expected: string,
  { workspace }: DependencyContext,
): boolean {
  // A package may implement further interfaces and have them as peers too; then only the upper bound is checked.
  if (workspace.has(dependency) && section === 'peerDependencies') return /^>=\S+ <\S+$/.test(actual);
  return actual === expected;
}

function isOwnInterface(folder: string, dependency: string, { workspace }: DependencyContext): boolean {
  return workspace.get(dependency)?.folder === ownInterfaceFolder(folder);
}

const ownInterfaceFolder = (folder: string): string => folder.replace(/\/default$/, '/interface');

function sectionOf(manifest: Manifest, dependency: string): Section | undefined {
  if (manifest.dependencies?.[dependency] !== undefined) return 'dependencies';
  return manifest.peerDependencies?.[dependency] === undefined ? undefined : 'peerDependencies';
}
