import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { NodeArchitecture } from '../../node/node-pins.js';
import { nodeProgram } from '../../node/node-program.js';
import { repositoryRoot } from '../../workspace/repository-root.js';
import { run } from '../../workspace/run-node.js';
import { bundledPackages } from '../bundled-packages.js';
import type { Executable } from '../executable.js';
import { buildSingleExecutable, nodeInside } from '../single-executable.js';
import { copyrightFile } from './copyright-file.js';
import { buildDebianPackage } from './debian-package.js';
import { packageTerms } from './package-terms.js';
import { packageVersion } from './package-version.js';
import { readSourceDateEpoch } from './source-date-epoch.js';

type Log = (line: string) => void;

export interface DebianPackagesOptions {
  /** Default `dist/deb`. */
  readonly folder?: string;
  /** Default {@link packageVersion}. */
  readonly versions?: readonly string[];
}

/** Builds the kubelet's single executables and Debian packages of them, for each architecture one of each version. */
export async function buildDebianPackages(
  architectures: readonly NodeArchitecture[],
  log: Log,
  { folder = path.join(repositoryRoot, 'dist/deb'), versions = [packageVersion()] }: DebianPackagesOptions = {},
): Promise<readonly Executable[]> {
  const { code, output } = await run('dpkg-deb', ['--version']);
  if (code !== 0)
    throw new Error(
      `Debian packages are made with dpkg-deb, which does not run here (${output.trim()}); it is in the package dpkg of Debian, Fedora and others`,
    );
  const sourceDateEpoch = await readSourceDateEpoch();
  const packages: Executable[] = [];
  for (const architecture of architectures) {
    const executable = (await buildSingleExecutable('kubelet', architecture, log)).file;
    const copyright = await copyrightOf(architecture, log);
    for (const version of versions) {
      const file = await buildDebianPackage({ architecture, version, executable, copyright, sourceDateEpoch, folder });
      packages.push({ file, bytes: (await stat(file)).size });
    }
  }
  return packages;
}

async function copyrightOf(architecture: NodeArchitecture, log: Log): Promise<string> {
  // Its licence is two folders above the program.
  const node = path.dirname(path.dirname(await nodeProgram(nodeInside, architecture, log)));
  const licenseText = await readFile(path.join(node, 'LICENSE'), 'utf8');
  const { version } = nodeInside;
  return copyrightFile(await packageTerms(await bundledPackages('kubelet')), { version, licenseText });
}
