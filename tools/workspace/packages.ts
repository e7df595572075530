import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './repository-root.js';

export const packageTypes = ['interface', 'impl', 'foundation', 'testing', 'assembly', 'app'] as const;
export type PackageType = (typeof packageTypes)[number];

/** The part of a package.json that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly engines?: { readonly node?: string };
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly podwright?: { readonly type?: PackageType };
}

export interface WorkspacePackage {
  readonly name: string;
  /** Relative to the repository, with forward slashes. */
  readonly folder: string;
  readonly type: PackageType | undefined;
  readonly manifest: Manifest;
}

/** Every package below apps/ and libs/, sorted by folder. */
export function listPackages(root: string = repositoryRoot): WorkspacePackage[] {
  return ['apps', 'libs'].flatMap((folder) => packagesBelow(root, folder));
}

function packagesBelow(root: string, folder: string): WorkspacePackage[] {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return [];
  const manifestFile = path.join(absolute, 'package.json');
  if (existsSync(manifestFile)) {
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
    return [{ name: manifest.name, folder, type: manifest.podwright?.type, manifest }];
  }
  return readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist', 'src'].includes(entry.name))
    .map((entry) => entry.name)
    .sort()
    .flatMap((name) => packagesBelow(root, `${folder}/${name}`));
}

/** Keeps the packages at, below or around one of `paths` (relative to the repository); keeps all when `paths` is empty. */
export function selectPackages(packages: readonly WorkspacePackage[], paths: readonly string[]): WorkspacePackage[] {
  const wanted = paths.map((given) => path.relative(repositoryRoot, path.resolve(given)).replaceAll(path.sep, '/'));
  return packages.filter(
    ({ folder }) =>
      wanted.length === 0 ||
      wanted.some((each) => folder === each || folder.startsWith(`${each}/`) || each.startsWith(`${folder}/`)),
  );
}

/** The TypeScript files of a package, relative to the repository; with `specs` false only published ones. */
export function sourceFiles(folder: string, specs: boolean, root: string = repositoryRoot): string[] {
  const source = path.join(root, folder, 'src');
  if (!existsSync(source)) return [];
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && (specs || !file.endsWith('.spec.ts')))
    .map((file) => `${folder}/src/${file.replaceAll(path.sep, '/')}`)
    .sort();
}
