import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { listPackages } from '../workspace/packages.js';
import type { WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run, runNode } from '../workspace/run-node.js';
import type { RunResult } from '../workspace/run-node.js';

const nx = path.join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js');

/** Every package that is published to npm. */
export function publishedPackages(): WorkspacePackage[] {
  return listPackages().filter(({ manifest }) => manifest.private !== true);
}

/** Compiles every package to its dist/, dependencies first; Nx's cache provides unchanged ones. */
export function buildPackages(): Promise<RunResult> {
  return runNode([nx, 'run-many', '--targets=build', '--parallel=2']);
}

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
