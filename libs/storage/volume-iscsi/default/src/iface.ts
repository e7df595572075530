import type { IscsiDisk } from './iscsi-disk.js';
import { iscsiFault, type Iscsiadm } from './iscsiadm.js';

// Exit code of iscsiadm: a session uses the interface already.
const sessionExists = 15;

/** The transport of the interface that the volume names, such as `tcp`. */
export async function readTransport(
  iscsiadm: Iscsiadm,
  { initIface, iface }: IscsiDisk,
  signal: AbortSignal,
): Promise<string> {
  const { output, problem } = await iscsiadm(['-m', 'iface', '-I', initIface, '-o', 'show'], signal);
  if (problem !== undefined) throw iscsiFault(problem);
  const transport = /^iface\.transport_name = (.*)$/m.exec(output)?.[1];
  if (transport === undefined || transport === '') throw iscsiFault(`could not parse iface file for ${iface}`);
  return transport === '<empty>' ? 'tcp' : transport;
}

/**
 * Makes the interface of a volume with an initiator name of its own: a copy of the one that the volume names. Source:
 * kubernetes v1.36 pkg/volume/iscsi/iscsi_util.go cloneIface.
 */
export async function cloneIface(iscsiadm: Iscsiadm, disk: IscsiDisk, signal: AbortSignal): Promise<void> {
  const { initIface, iface, initiatorName } = disk;
  if (initIface === iface) throw iscsiFault(`iscsi: cannot clone iface with same name: ${initIface}`);
  const shown = await iscsiadm(['-m', 'iface', '-I', initIface, '-o', 'show'], signal);
  if (shown.problem !== undefined) {
    throw iscsiFault(`iscsi: failed to show iface records: ${shown.output} (${shown.problem})`);
  }
  const settings = { ...parseIface(shown.output), 'iface.initiatorname': initiatorName };
  const made = await iscsiadm(['-m', 'iface', '-I', iface, '-o', 'new'], signal);
  if (made.problem !== undefined && made.code !== sessionExists) {
    throw iscsiFault(`iscsi: failed to create new iface: ${made.output} (${made.problem})`);
  }
  for (const [key, value] of Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const args = ['-m', 'iface', '-I', iface, '-o', 'update', '-n', key, '-v', value];
    const { output, problem } = await iscsiadm(args, signal);
    if (problem === undefined) continue;
    await deleteIface(iscsiadm, disk, signal);
    throw iscsiFault(`iscsi: failed to update iface records: ${output} (${problem}). iface(${initIface}) will be used`);
  }
}

export async function deleteIface(iscsiadm: Iscsiadm, { iface }: IscsiDisk, signal: AbortSignal): Promise<void> {
  await iscsiadm(['-m', 'iface', '-I', iface, '-o', 'delete'], signal);
}

/** The settings that iscsiadm shows of an interface. */
export function parseIface(output: string): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const line of output.split('\n')) {
    if (!line.startsWith('iface.') || line.includes('<empty>')) continue;
    const words = line.trim().split(/\s+/);
    const [key = '', equals, value, ...more] = words;
    if (equals !== '=' || value === undefined || more.length > 0) {
      const problem = `error: invalid iface setting: [${words.join(' ')}]`;
      throw iscsiFault(`iscsi: failed to parse iface records: ${output} (${problem})`);
    }
    // The name stays that of the new interface.
    if (key !== 'iface.iscsi_ifacename') settings[key] = value;
  }
  return settings;
}
