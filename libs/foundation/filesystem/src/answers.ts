import { KubeletError } from '@podwright/errors';
import { runProgram, type RunProgram } from '@podwright/program';
import { isAtOrBelow } from './is-at-or-below.js';
import { resolveLinks } from './mount-point.js';
import { readMountTable, type MountEntry } from './mount-table.js';

/** File systems whose calls wait for another machine. */
const network = /^(?:nfs4?|cifs|smb3|ceph|glusterfs|fuse\..*|fuse|9p|lustre|gfs2|ocfs2)$/;

/** How to ask a file system, and where to see what it is; for tests. */
export interface AnswerCheck {
  readonly run?: RunProgram;
  readonly list?: () => Promise<readonly MountEntry[]>;
}

/**
 * Rejects with `unavailable` when the file system at a path is of the network and does not answer before the signal
 * aborts. A child process asks it: a call of this process that hangs would block one of Node's four file system threads
 * for ever, and four of them the whole process. Call it before the first call on a path that may be on such a file system,
 * or lead there by links. The path must be absolute.
 */
export async function requireAnswer(
  path: string,
  signal: AbortSignal,
  { run = runProgram, list = readMountTable }: AnswerCheck = {},
): Promise<void> {
  if (!(await isOfNetwork(path, { list }))) return;
  // Asks for what no cache has.
  const { end } = await run({ file: 'stat', args: ['--file-system', '--format=%i', '--', path] }, signal);
  if (end.how !== 'aborted') return;
  throw new KubeletError(`the file system at ${path} does not answer`, { code: 'unavailable', cause: signal.reason });
}

/** Whether calls on the path may wait for another machine, also where links lead there. */
export async function isOfNetwork(
  path: string,
  { list = readMountTable }: Pick<AnswerCheck, 'list'> = {},
): Promise<boolean> {
  const table = await list();
  const remote = table.flatMap(({ fsType, mountPoint }) => (network.test(fsType) ? [mountPoint] : []));
  if (remote.length === 0) return false;
  // A path that cannot be resolved fails as fast for the caller.
  const resolved = await resolveLinks(path, table, (mountPoint) => remote.includes(mountPoint)).catch(() => path);
  return remote.some((mountPoint) => isAtOrBelow(resolved, mountPoint));
}
