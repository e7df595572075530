import { join } from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { KubeletError } from '@podwright/errors';
import { readPlainFile } from '@podwright/filesystem';
import { goJson, parseJsonObject } from '@podwright/kube-types';
import type { IscsiDisk } from './iscsi-disk.js';

const mostBytes = 64 * 1024;

/** Keeps what detaching needs, in upstream's form: either kubelet reads what the other has written. */
export async function writeIscsiJson(folder: string, disk: IscsiDisk): Promise<void> {
  const { volName, portals, iqn, lun, initIface, iface, initiatorName } = disk;
  const content = {
    ...{ VolName: volName, Portals: portals, Iqn: iqn, Lun: lun, InitIface: initIface, Iface: iface },
    ...{ InitiatorName: initiatorName, MetricsProvider: null },
  };
  await writeFileAtomically(join(folder, 'iscsi.json'), `${goJson(content)}\n`, { mode: 0o644 });
}

/** Rejects when the file is missing, with `data-loss` when it is malformed. */
export async function readIscsiJson(folder: string): Promise<IscsiDisk> {
  return decodeIscsiJson(await readPlainFile(join(folder, 'iscsi.json'), mostBytes));
}

export function decodeIscsiJson(file: string): IscsiDisk {
  const content = parseJsonObject(file);
  if (content === undefined) throw malformed();
  const text = (name: string): string => {
    const value = content[name] ?? '';
    if (typeof value !== 'string') throw malformed();
    return value;
  };
  const portals = content['Portals'];
  if (!Array.isArray(portals) || !portals.every((portal) => typeof portal === 'string')) throw malformed();
  return {
    ...{ volName: text('VolName'), portals, iqn: text('Iqn'), lun: text('Lun') },
    ...{ initIface: text('InitIface'), iface: text('Iface'), initiatorName: text('InitiatorName') },
  };
}

function malformed(): KubeletError {
  return new KubeletError('iscsi.json is malformed', { code: 'data-loss' });
}
