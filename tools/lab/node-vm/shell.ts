import path from 'node:path';
import { exists } from '../packages.js';
import { SHELL_ARGUMENT } from './guest-files.js';
import { buildTestImagesForGuest } from './guest-images.js';
import { NodeVm } from './node-vm.js';

/**
 * A root shell in the machine on this terminal, until it is left. In /podwright are Node, the lab's images, and the kubelet when
 * it was built.
 */
export async function openShell(log: (line: string) => void): Promise<void> {
  const kubelet = path.resolve('dist/kubelet');
  const built = await exists(kubelet);
  if (!built) log('there is no dist/kubelet yet: npm run build makes it');
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
