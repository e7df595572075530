import { mkdir, open, readdir, readFile, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { tryCommand } from '@podwright/lab';
import { exists, run } from './guest-commands.js';
import { KUBELET_ROOT } from './guest-node.js';

const SETTINGS = '/sys/kernel/config';
const CORE = `${SETTINGS}/target/core/fileio_0/disk`;
const DISK_FILE = '/var/lib/podwright/iscsi-disk';
const diskBytes = 64 * 1024 * 1024;

/** The target's disk as a pod's volume names it. */
export const iscsiVolume = {
  targetPortal: '127.0.0.1:3260',
  iqn: 'iqn.2026-01.local.podwright:disk',
  lun: 0,
  fsType: 'ext4',
};

const TARGET = `${SETTINGS}/target/iscsi/${iscsiVolume.iqn}`;
const GROUP = `${TARGET}/tpgt_1`;
const LUN = `${GROUP}/lun/lun_${iscsiVolume.lun}`;
const PORTAL = `${GROUP}/np/${iscsiVolume.targetPortal}`;

/** Makes the guest's own kernel a target with one disk in a file, without passwords, until the machine ends. */
export async function startIscsiTarget(): Promise<void> {
  for (const module of ['iscsi_tcp', 'sd_mod', 'target_core_file', 'iscsi_target_mod']) await run('modprobe', module);
  if (!(await exists(`${SETTINGS}/target`))) await run('mount', '-t', 'configfs', 'configfs', SETTINGS);
  await writeFile('/etc/iscsi/initiatorname.iscsi', 'InitiatorName=iqn.2026-01.local.podwright:node\n');
  await run('systemctl', 'start', 'iscsid.socket');

  const file = await open(DISK_FILE, 'a');
  await file.truncate(diskBytes);
  await file.close();
  await mkdir(CORE, { recursive: true });
  await writeFile(`${CORE}/control`, `fd_dev_name=${DISK_FILE},fd_dev_size=${diskBytes}`);
  await writeFile(`${CORE}/enable`, '1');

  await mkdir(LUN, { recursive: true });
  await mkdir(PORTAL, { recursive: true });
  await symlink(CORE, `${LUN}/disk`);
  const attributes = { authentication: 0, generate_node_acls: 1, demo_mode_write_protect: 0, cache_dynamic_acls: 1 };
  for (const [name, value] of Object.entries(attributes)) await writeFile(`${GROUP}/attrib/${name}`, String(value));
  await writeFile(`${GROUP}/enable`, '1');
}

/** Ends the target; its disk's file stays. Otherwise the kernel would keep the file open in a shutdown. */
export async function stopIscsiTarget(): Promise<void> {
  await writeFile(`${GROUP}/enable`, '0');
  await unlink(`${LUN}/disk`);
  for (const folder of [LUN, PORTAL, GROUP, TARGET, CORE]) await rmdir(folder);
}

/** What the node has of iSCSI: sessions, records of targets, disks, mounts, folders of the kubelet. */
export async function iscsiTraces(): Promise<readonly string[]> {
  const listed = async (mode: string): Promise<readonly string[]> =>
    // It exits with 21 when there is none.
    (await tryCommand('iscsiadm', ['-m', mode], { timeoutMs: 20_000 })).stdout
      .split('\n')
      .filter((line) => line !== '');
  const disks = (await readdir('/sys/block')).filter((name) => name.startsWith('sd'));
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').filter((line) => line.includes('iscsi'));
  const folders = await readdir(`${KUBELET_ROOT}/plugins/kubernetes.io/iscsi/iface-default`).catch(() => []);
  return [...(await listed('session')), ...(await listed('node')), ...disks, ...mounts, ...folders];
}
