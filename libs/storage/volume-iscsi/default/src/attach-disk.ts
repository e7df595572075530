import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { multipathDevice } from '@podwright/block-device';
import { messageOf } from '@podwright/errors';
import { isMountPoint } from '@podwright/filesystem';
import { uncertainProgress } from '@podwright/volume-interface';
import type { ChapSecret } from './chap-secret.js';
import { diskLink, repeat, waitForDisk } from './disk-path.js';
import { cloneIface, deleteIface, readTransport } from './iface.js';
import { diskFolder, iscsiFolders, type IscsiSource } from './iscsi-disk.js';
import { writeIscsiJson } from './iscsi-json.js';
import type { IscsiParts } from './iscsi-parts.js';
import { iscsiFault } from './iscsiadm.js';
import { logIn } from './log-in.js';

// Source: kubernetes v1.36 pkg/volume/iscsi/iscsi_util.go.
const mostRounds = 5;
/** With so many paths after so many rounds, the other portals are not waited for. */
const enough = { paths: 2, rounds: 2 };
const diskTries = 30;
const multipathTries = 10;

export interface AttachRequest {
  readonly source: IscsiSource;
  readonly secret: ChapSecret;
  readonly mode: 'Filesystem' | 'Block';
}

/**
 * Logs in at each portal, makes the kernel find the disk, and resolves with its path: that of the multipath device if
 * there is one. Source: kubernetes v1.36 pkg/volume/iscsi/iscsi_util.go AttachDisk.
 */
export async function attachDisk(parts: IscsiParts, request: AttachRequest, signal: AbortSignal): Promise<string> {
  const { iscsiadm, targets } = parts;
  const { source } = request;
  const transport = await readTransport(iscsiadm, source, signal);
  if (source.initiatorName !== '') await cloneIface(iscsiadm, source, signal);
  const attach = async (): Promise<string> => {
    const paths = await findPaths(parts, request, transport, signal);
    const device = await chooseDevice(parts, source, paths, signal);
    try {
      await keepForDetach(parts, request);
    } catch (error) {
      // The pod's end must detach what is attached now.
      throw uncertainProgress(error);
    }
    return device;
  };
  return targets.run(source.iqn, attach, signal);
}

async function findPaths(
  parts: IscsiParts,
  request: AttachRequest,
  transport: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { iqn, portals, initiatorName } = request.source;
  const paths = new Map<string, string>();
  let lastFault = 'no session after logging in';
  for (let round = 1; round <= mostRounds; round++) {
    for (const portal of portals) {
      if (paths.has(portal)) continue;
      const outcome = await tryPortal(parts, portal, { ...request, transport }, signal);
      if ('path' in outcome) paths.set(portal, outcome.path);
      else lastFault = outcome.fault;
    }
    if (paths.size === 0) {
      if (initiatorName !== '') await deleteIface(parts.iscsiadm, request.source, signal);
      throw iscsiFault(`failed to get any path for iscsi disk, last err seen:\n${lastFault}`);
    }
    if (paths.size === new Set(portals).size) break;
    if (paths.size >= enough.paths && round >= enough.rounds) break;
  }
  if (paths.size < portals.length) {
    parts.logger.warn('iscsi: not all portals have a path to the disk', { iqn, paths: paths.size, error: lastFault });
  }
  return [...paths.values()];
}

async function tryPortal(
  parts: IscsiParts,
  portal: string,
  { source, secret, transport }: AttachRequest & { readonly transport: string },
  signal: AbortSignal,
): Promise<{ readonly path: string } | { readonly fault: string }> {
  const { sysfs, iscsiadm, clock, devDir } = parts;
  let host = (await sysfs.hostsByPortal(source.iqn)).get(portal);
  if (host === undefined) {
    try {
      await logIn(iscsiadm, portal, { source, secret }, signal);
    } catch (error) {
      signal.throwIfAborted();
      return { fault: messageOf(error) };
    }
    host = (await sysfs.hostsByPortal(source.iqn)).get(portal);
    if (host === undefined) return { fault: `Could not get SCSI host number for portal ${portal} after logging in` };
  }
  await sysfs.scan(host, source.lun);
  const folder = join(devDir, 'disk/by-path');
  const link = diskLink(portal, source);
  const path = await waitForDisk({ folder, link, transport, tries: diskTries }, clock, signal);
  if (path !== undefined) return { path };
  return { fault: `Timed out waiting for device at path ${join(folder, link)} after ${diskTries}s` };
}

/** A volume with several portals waits for its multipath device. */
async function chooseDevice(
  { clock, sysDir }: IscsiParts,
  { portals }: IscsiSource,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    for (const path of paths) {
      const device = await multipathDevice(path, join(sysDir, 'block'));
      if (device !== undefined) return device;
    }
    return undefined;
  };
  const multipath = await repeat(find, portals.length > 1 ? multipathTries : 1, clock, signal);
  return multipath ?? paths[0] ?? '';
}

async function keepForDetach({ mounts, pluginsDir }: IscsiParts, { source, mode }: AttachRequest): Promise<void> {
  const folders = iscsiFolders(pluginsDir);
  const folder = diskFolder(mode === 'Block' ? folders.devices : folders.mounts, source);
  await mkdir(folder, { recursive: true, mode: 0o750 });
  // A mounted file system hides the file that was written before it was mounted.
  if (mode === 'Filesystem' && (await isMountPoint(mounts, folder))) return;
  await writeIscsiJson(folder, source);
}
