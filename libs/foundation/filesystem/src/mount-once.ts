import { isMissing } from '@podwright/errors';
import { makeDirectory } from './make-directory.js';
import { cleanMountPoint } from './clean-mount-point.js';
import { isMountPoint } from './mount-point.js';
import type { MountTools } from './mount-tools.js';

export interface MountOnce {
  readonly mounts: MountTools;
  /** Directory to mount on; created with mode 0750. */
  readonly target: string;
  readonly mount: () => Promise<void>;
  /** Called when `mount` fails, except by the signal. Default: unmount the directory and remove it. */
  readonly undo?: () => Promise<void>;
  /** Gets the failure of `undo`. The first failure is the one that matters to the caller. */
  readonly onLeft: (error: unknown) => void;
}

/** Mounts something on a directory unless something is mounted there already; resolves with whether it did. */
export async function mountOnce(request: MountOnce, signal: AbortSignal): Promise<boolean> {
  const { mounts, target, mount, onLeft } = request;
  const { undo = () => cleanMountPoint(mounts, target, signal) } = request;
  const isMounted = await isMountPoint(mounts, target).catch((error: unknown) => {
    if (isMissing(error)) return false;
    throw error;
  });
  if (isMounted) return false;
  await makeDirectory(target, 0o750);
  try {
    await mount();
    return true;
  } catch (error) {
    if (!signal.aborted) await undo().catch(onLeft);
    throw error;
  }
}
