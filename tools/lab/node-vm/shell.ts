import path from 'node:path';
import { exists } from '../packages.js';
import { SHELL_ARGUMENT } from './guest-files.js';
import { buildTestImagesForGuest } from './guest-images.js';
import { NodeVm } from './node-vm.js';

/**
 * Opens a root shell in the machine on this terminal, until the user exits it. /podwright has Node, the lab's images,
 * and the kubelet if it was built.
 */
export async function openShell(log: (line: string) => void): Promise<void> {
  const kubelet = path.resolve('dist/kubelet');
  const built = await exists(kubelet);
  if (!built) log('dist/kubelet does not exist yet: npm run build creates it');
  const machine = await NodeVm.start({
    programs: {
      files: built ? { kubelet } : {},
      contents: { 'images.tar': await buildTestImagesForGuest(log), 'nothing.cjs': '' },
      entry: 'nothing.cjs',
    },
    memoryMib: 1_400,
    terminal: true,
    kernelArguments: [SHELL_ARGUMENT],
    log,
  });
  try {
    await machine.ended;
  } finally {
    await machine.stop();
  }
}
