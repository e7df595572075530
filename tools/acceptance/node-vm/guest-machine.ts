import path from 'node:path';
import { build } from 'esbuild';
import { buildTestImagesForGuest, NodeVm, type GuestPrograms, type ReportLine } from '@podwright/lab';
import { buildKubelet } from '../../build/kubelet.js';
import { repositoryRoot } from '../../workspace/repository-root.js';

const ENTRY = 'cases.cjs';

/** Files that the cases need in the guest: the kubelet's executable, images, and the cases. */
export async function guestPrograms(log: (line: string) => void): Promise<GuestPrograms> {
  const kubelet = process.env['PODWRIGHT_ACCEPTANCE_KUBELET'] ?? (await buildKubelet()).file;
  const contents = { [ENTRY]: await bundleCases(), 'images.tar': await buildTestImagesForGuest(log) };
  return { files: { kubelet }, contents, entry: ENTRY };
}

async function bundleCases(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [path.join(repositoryRoot, 'tools/acceptance/node-vm/guest-main.ts')],
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
  if (bundle === undefined) throw new Error('the cases have no bundle');
  return bundle.contents;
}

/** Starts the machine that runs the cases. */
export async function startGuestMachine(
  log: (line: string) => void,
  report: (line: ReportLine) => void,
): Promise<NodeVm> {
  return NodeVm.start({ programs: await guestPrograms(log), memoryMib: 1_400, log, report });
}
