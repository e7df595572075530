import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '@podwright/errors';

/**
 * Whether this process is in a user namespace other than the machine's own, as a rootless kubelet is. Source:
 * github.com/moby/sys/userns, which upstream asks.
 */
export async function runsInUserNamespace(hostRoot: string = '/'): Promise<boolean> {
  let map: string;
  try {
    map = await readFile(path.join(hostRoot, 'proc/self/uid_map'), 'utf8');
  } catch (error) {
    // A kernel without user namespaces.
    if (isMissing(error)) return false;
    throw error;
  }
  return map.trim().split(/\s+/).join(' ') !== '0 0 4294967295';
}
