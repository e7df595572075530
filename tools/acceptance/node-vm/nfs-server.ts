import { mkdir, writeFile } from 'node:fs/promises';
import { GUEST_BRIDGE } from '@podwright/lab';
import { exists, run } from './guest-commands.js';

const STATE = '/proc/fs/nfsd';

/** What the guest's NFS server shares, as a pod's volume names it. */
export const nfsVolume = { server: GUEST_BRIDGE.address, path: '/srv/share' };

/** Makes the guest's own kernel an NFS server, version 4. */
export async function startNfsServer(): Promise<void> {
  await run('modprobe', 'nfsd');
  if (!(await exists(`${STATE}/threads`))) await run('mount', '-t', 'nfsd', 'nfsd', STATE);
  await mkdir(nfsVolume.path, { recursive: true });
  await writeFile('/etc/exports', `${nfsVolume.path} ${GUEST_BRIDGE.subnet}(rw,no_root_squash,no_subtree_check)\n`);
  await run('exportfs', '-ra');
  await run('rpc.mountd', '--no-nfs-version', '3');
  await resumeNfsServer();
}

/** Ends the server. Its clients hang, because they wait for it to come back. */
export async function stopNfsServer(): Promise<void> {
  await run('rpc.nfsd', '0');
}

export async function resumeNfsServer(): Promise<void> {
  await run('rpc.nfsd', '--no-nfs-version', '3', '--host', nfsVolume.server, '2');
  // Otherwise it waits 90 s for clients that claim again what they had open.
  await writeFile(`${STATE}/v4_end_grace`, 'Y');
}
