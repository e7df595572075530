import path from 'node:path';

/** One package of a package-lock.json, as npm 7 and later write it. */
export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  /** A package of the workspace: `resolved` is its folder, which has an entry of its own. */
  readonly link?: boolean;
  /** Only development needs it; `devOptional`: development, or an optional dependency. */
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** By location: `node_modules/a`, `node_modules/a/node_modules/b`, or the folder of a package of the workspace. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Where Node finds the package `name` when a file in `from` imports it; undefined when it is not installed. */
export function locate(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = path.posix.dirname(folder)) {
    const location = path.posix.join(folder, 'node_modules', name);
    const found = packages[location];
    if (found !== undefined) return found.link === true ? (found.resolved ?? location) : location;
    if (folder === '' || folder === '.') return undefined;
  }
}

/** Locations of what npm installs for the package at `location`: dependencies and peers, optional ones if present. */
export function dependenciesOf(packages: LockedPackages, location: string): readonly string[] {
  const { dependencies, optionalDependencies = {}, peerDependencies, peerDependenciesMeta } = packages[location] ?? {};
  const optional = (name: string): boolean =>
    name in optionalDependencies || peerDependenciesMeta?.[name]?.optional === true;
  // An optional peer is not installed for this package.
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  const names = [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies), ...peers];
  return [...new Set(names)].flatMap((name) => {
    const found = locate(packages, location, name);
    if (found === undefined && !optional(name)) throw new Error(`${location} needs ${name}, which is not installed`);
    return found ?? [];
  });
}

/** `roots` and everything that they need, directly or not. */
export function closureOf(packages: LockedPackages, roots: readonly string[]): readonly string[] {
  const reached = new Set(roots);
  // A set visits what is added while it is walked.
  for (const location of reached) for (const next of dependenciesOf(packages, location)) reached.add(next);
  return [...reached];
}
