import path from 'node:path';
import { build } from 'esbuild';
import { buildTestImagesForGuest, NodeVm, type GuestPrograms, type ReportLine } from '@podwright/lab';
import { buildDebianPackages } from '../../build/deb/debian-packages.js';
import { packageVersion } from '../../build/deb/package-version.js';
import { buildExecutable } from '../../build/executable.js';
import { buildKubelet } from '../../build/kubelet.js';
import { repositoryRoot } from '../../workspace/repository-root.js';
import { debianPackageCases, DEBS } from './cases/debian-package-cases.js';
import type { GuestCase } from './guest-case.js';

const ENTRY = 'cases.cjs';

/** Files that the cases need in the guest: the kubelets' executables, images, and the cases. */
export async function guestPrograms(cases: readonly GuestCase[], log: (line: string) => void): Promise<GuestPrograms> {
  const kubelet = process.env['PODWRIGHT_ACCEPTANCE_KUBELET'] ?? (await buildKubelet()).file;
  const standalone = await buildExecutable('kubelet-standalone');
  const names = JSON.stringify(cases.map(({ name }) => name));
  const contents = {
    [ENTRY]: await bundleForGuest('tools/acceptance/node-vm/guest-main.ts'),
    'cases.json': names,
    'images.tar': await buildTestImagesForGuest(log),
  };
  const debs = cases.some((each) => debianPackageCases.includes(each)) ? await debianPackages(log) : {};
  return { files: { kubelet, 'kubelet-standalone': standalone.file, ...debs }, contents, entry: ENTRY };
}

/** The Debian package in two versions. */
async function debianPackages(log: (line: string) => void): Promise<Readonly<Record<string, string>>> {
  const folder = path.join(repositoryRoot, 'node_modules/.cache/podwright/deb');
  const version = packageVersion();
  const built = await buildDebianPackages(['x64'], log, { folder, versions: [version, `${version}.1`] });
  return Object.fromEntries(Object.values(DEBS).map((name, index) => [name, built[index]?.file ?? '']));
}

/** Bundles a program of this repository, so that Node runs it in the guest. */
export async function bundleForGuest(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [path.join(repositoryRoot, entry)],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    conditions: ['podwright-source'],
    minifyWhitespace: true,
    keepNames: true,
    logLevel: 'warning',
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error(`${entry} has no bundle`);
  return bundle.contents;
}

/** Starts the machine that runs the cases. */
export async function startGuestMachine(
  cases: readonly GuestCase[],
  log: (line: string) => void,
  report: (line: ReportLine) => void,
): Promise<NodeVm> {
  return NodeVm.start({ programs: await guestPrograms(cases, log), memoryMib: 1_400, log, report });
}
