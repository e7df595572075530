import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages } from '../workspace/packages.js';
import type { WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run, runNode } from '../workspace/run-node.js';
import type { RunResult } from '../workspace/run-node.js';

const compiler = path.join(repositoryRoot, 'node_modules/typescript-native/bin/tsc');

/** Every package that is published to npm. */
export function publishedPackages(): WorkspacePackage[] {
  return listPackages().filter(({ manifest }) => manifest.private !== true);
}

/**
 * Compiles every package to its dist/, as the target `build` of Nx does. One compiler for all of them needs a third of
 * the processor time that one for each needs.
 */
export async function buildPackages(): Promise<RunResult> {
  const packages = listPackages();
  // A renamed file must not stay in a published package.
  for (const { folder } of packages) rmSync(dist(folder), { recursive: true, force: true });
  const result = await runNode([compiler, '--build', writeProjects(packages), '--force', '--singleThreaded']);
  // The licence asks that each copy comes with its text.
  if (result.code === 0) for (const { folder } of packages) copyFileSync(licence, path.join(dist(folder), 'LICENSE'));
  return result;
}

const licence = path.join(repositoryRoot, 'LICENSE');
const dist = (folder: string): string => path.join(repositoryRoot, folder, 'dist');

/**
 * Writes a TypeScript project for each package, which refers to the packages that its manifest names, and one for all
 * of them. Returns the path of the last. Projects see other packages as npm users do, through their built types.
 */
function writeProjects(packages: readonly WorkspacePackage[]): string {
  const projects = path.join(repositoryRoot, 'node_modules/.cache/podwright/build');
  mkdirSync(projects, { recursive: true });
  const project = (folder: string): string => path.join(projects, `${folder.replaceAll('/', '-')}.json`);
  const folders = new Map(packages.map(({ name, folder }) => [name, folder]));
  for (const { folder, manifest } of packages) {
    const needs = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const source = path.join(repositoryRoot, folder);
    write(project(folder), {
      extends: path.join(source, 'tsconfig.json'),
      compilerOptions: { composite: true, customConditions: [], tsBuildInfoFile: `${project(folder)}.tsbuildinfo` },
      references: needs.flatMap((name) => folders.get(name) ?? []).map((need) => ({ path: project(need) })),
    });
  }
  const all = path.join(projects, 'all.json');
  write(all, { files: [], references: packages.map(({ folder }) => ({ path: project(folder) })) });
  return all;
}

const write = (file: string, project: object): void => writeFileSync(file, JSON.stringify(project, undefined, 2));

export interface Tarball {
  readonly name: string;
  readonly file: string;
}

/**
 * Packs the built packages into `destination`, as `npm publish` would. A single npm process, because its start costs
 * most.
 */
export async function packPackages(packages: readonly WorkspacePackage[], destination: string): Promise<Tarball[]> {
  mkdirSync(destination, { recursive: true });
  const folders = packages.flatMap(({ folder }) => ['--workspace', folder]);
  const args = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--loglevel=error',
    '--pack-destination',
    destination,
    ...folders,
  ];
  const { code, output } = await run('npm', args);
  const start = output.search(/^[[{]/m);
  if (code !== 0 || start === -1) throw new Error(`npm pack ended with ${code}\n${output}`);
  return parsePacked(output.slice(start)).map(({ name, filename }) => ({
    name,
    // Older npm versions keep the scope's slash in the file name.
    file: path.join(destination, filename.replace('@', '').replace('/', '-')),
  }));
}

interface Packed {
  readonly name: string;
  readonly filename: string;
}

/** npm 10 and 11 print a list, later versions an object by package name. */
function parsePacked(json: string): readonly Packed[] {
  const parsed = JSON.parse(json) as readonly Packed[] | Readonly<Record<string, Packed>>;
  return Array.isArray(parsed) ? (parsed as readonly Packed[]) : Object.values(parsed);
}
