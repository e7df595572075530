import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, KubeletError } from '@podwright/errors';
import { runProgram, type RunProgram, runTool } from '@podwright/program';

/**
 * Loop devices, which show a file as a block device. Attached to a block device, one is a lock on it: the device cannot
 * be removed meanwhile. Source: kubernetes v1.36 pkg/volume/util/volumepathhandler.
 */
export interface LoopDevices {
  /** The loop device of a file or block device, such as `/dev/loop0`; undefined without one. */
  find(backingPath: string): Promise<string | undefined>;
  /** Resolves with the loop device, which may be one that exists already. */
  attach(backingPath: string, signal?: AbortSignal): Promise<string>;
  /** A device that is not attached, or gone, is no error. */
  detach(loopDevice: string, signal?: AbortSignal): Promise<void>;
  /** Makes the loop device as large as its backing file has become: `losetup -c`. */
  updateSize(loopDevice: string, signal?: AbortSignal): Promise<void>;
}

export interface LoopDevicesOptions {
  readonly run?: RunProgram;
  /** Default `/sys/block`. */
  readonly sysBlock?: string;
}

/** Makes {@link LoopDevices} that run losetup(8) and read sysfs. */
export function createLoopDevices({ run = runProgram, sysBlock = '/sys/block' }: LoopDevicesOptions = {}): LoopDevices {
  const find = (path: string): Promise<string | undefined> => findLoop(path, sysBlock);
  const losetup = async (args: readonly string[], signal: AbortSignal | undefined): Promise<void> => {
    const { problem, output } = await runTool(run, 'losetup', args, signal);
    if (problem === undefined) return;
    throw new KubeletError(`losetup ${args.join(' ')} failed: ${problem}: ${output.trim()}`, { code: 'internal' });
  };
  return {
    find,
    attach: async (path, signal) => {
      const known = await find(path);
      if (known !== undefined) return known;
      await losetup(['-f', path], signal);
      const made = await find(path);
      if (made !== undefined) return made;
      throw new KubeletError(`no loop device for ${path} after losetup`, { code: 'internal' });
    },
    detach: async (device, signal) => {
      if (!(await isAttached(device, sysBlock))) return;
      try {
        await losetup(['-d', device], signal);
      } catch (error) {
        if (await isAttached(device, sysBlock)) throw error;
      }
    },
    updateSize: (device, signal) => losetup(['-c', device], signal),
  };
}

async function findLoop(path: string, sysBlock: string): Promise<string | undefined> {
  const resolved = await realpath(path).catch((error: unknown) => {
    if (isMissing(error)) return path;
    throw error;
  });
  for (const name of await readdir(sysBlock)) {
    if (!name.startsWith('loop')) continue;
    const backing = await backingFile(name, sysBlock);
    if (backing === path || backing === resolved) return `/dev/${name}`;
  }
  return undefined;
}

/** The path of the file as it was attached. A file that was removed since has the suffix ` (deleted)`, left out here. */
async function backingFile(name: string, sysBlock: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(sysBlock, name, 'loop/backing_file'), 'utf8');
    return text.replace(/\n$/, '').replace(/ \(deleted\)$/, '');
  } catch (error) {
    // ENODEV: detached between open and read.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENODEV') return undefined;
    throw error;
  }
}

async function isAttached(device: string, sysBlock: string): Promise<boolean> {
  return (await backingFile(device.replace(/^\/dev\//, ''), sysBlock)) !== undefined;
}
