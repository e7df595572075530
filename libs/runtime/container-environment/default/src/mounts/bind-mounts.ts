import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { KubeletError } from '@podwright/errors';
import { createMountTools, readMountTable } from '@podwright/filesystem';

/** The mounts that a sub path needs. */
export interface BindMounts {
  isMounted(target: string): Promise<boolean>;
  bind(source: string, target: string): Promise<void>;
  unmount(target: string): Promise<void>;
}

const run = promisify(execFile);
const tools = createMountTools();
// A bind mount is immediate; a dead network volume below it must not hold the start of a container for ever.
const timeoutMs = 60_000;

/** Mounts of this machine, by mount(8) and umount(8). */
export const hostBindMounts: BindMounts = {
  isMounted: async (target) => (await readMountTable()).some(({ mountPoint }) => mountPoint === target),
  bind: async (source, target) => {
    // Made canonical, the handle's link would turn into a path again, which a container may have changed by now.
    const args = ['--no-canonicalize', '-o', 'bind', source, target];
    try {
      await run('mount', args, { timeout: timeoutMs });
    } catch (error) {
      throw new KubeletError(`mount ${args.join(' ')} failed`, { code: 'internal', cause: error });
    }
  },
  unmount: (target) => tools.unmount(target),
};
