import { join } from 'node:path';
import { readFile, rm } from 'node:fs/promises';
import { writeFileAtomically } from '@podwright/checkpoint';
import { errnoWords, isMissing, KubeletError, messageOf } from '@podwright/errors';
import { readPlainFile } from '@podwright/filesystem';
import { goJson, goMap } from '@podwright/kube-types';
import { csiText } from '../csi-text.js';

/** What the next kubelet needs to take a volume down. Keys as upstream's; absent ones are not in the file. */
export interface VolumeData {
  readonly specVolID?: string;
  readonly volumeHandle: string;
  readonly driverName: string;
  readonly nodeName?: string;
  readonly attachmentID?: string;
  readonly volumeLifecycleMode?: string;
  readonly seLinuxMountContext?: string;
}

const fileName = 'vol_data.json';
// A fixed name, so that the next write and the removal also take care of what a killed process left.
const temporaryName = `.${fileName}.new`;
const mostBytes = 64 * 1024;

export const volumeDataFile = (folder: string): string => join(folder, fileName);

/**
 * Writes the file as upstream's encoder does, byte by byte: an older or newer kubelet reads it. Does nothing when it has
 * that content already. Source: kubernetes v1.36 pkg/volume/csi/csi_util.go saveVolumeData.
 */
export async function saveVolumeData(folder: string, data: VolumeData): Promise<void> {
  const file = volumeDataFile(folder);
  const content = encodeVolumeData(data);
  try {
    if ((await readFile(file, 'utf8').catch(missing)) === content) return;
    await writeFileAtomically(file, content, { mode: 0o644, temporary: join(folder, temporaryName) });
  } catch (error) {
    throw new KubeletError(csiText(`failed to save volume data file ${file}: open ${file}: ${errnoWords(error)}`), {
      code: 'internal',
      cause: error,
    });
  }
}

/** Go writes a map: keys in order, one line. */
export function encodeVolumeData(data: VolumeData): string {
  return `${goJson(goMap(Object.entries(data)))}\n`;
}

/**
 * Reads the file strictly; undefined when there is none. Rejects with `data-loss` when it is not what a kubelet wrote.
 * Source: kubernetes v1.36 pkg/volume/csi/csi_util.go loadVolumeData.
 */
export async function loadVolumeData(folder: string): Promise<VolumeData | undefined> {
  const file = volumeDataFile(folder);
  let text: string | undefined;
  try {
    text = await readPlainFile(file, mostBytes).catch(missing);
    return text === undefined ? undefined : decodeVolumeData(text);
  } catch (error) {
    const step = text === undefined ? 'open' : 'parse';
    throw new KubeletError(`${csiText(`failed to ${step} volume data file [${file}]`)}: ${messageOf(error)}`, {
      code: 'data-loss',
      cause: error,
    });
  }
}

/** As {@link loadVolumeData}, where the file must be. */
export async function requireVolumeData(folder: string): Promise<VolumeData> {
  const data = await loadVolumeData(folder);
  if (data !== undefined) return data;
  const file = volumeDataFile(folder);
  throw new KubeletError(
    `${csiText(`failed to open volume data file [${file}]`)}: open ${file}: no such file or directory`,
    { code: 'not-found' },
  );
}

/** Removes the file and what a killed write left beside it. */
export async function removeVolumeData(folder: string): Promise<void> {
  await rm(join(folder, temporaryName), { force: true });
  await rm(volumeDataFile(folder), { force: true });
}

/** Throws an Error that says what is wrong with the content of the file. */
export function decodeVolumeData(text: string): VolumeData {
  const found: unknown = JSON.parse(text);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new Error('it is no JSON object');
  const entries = Object.entries(found);
  const other = entries.find(([, value]) => typeof value !== 'string');
  if (other !== undefined) throw new Error(`${other[0]} is no string`);
  const data: Partial<VolumeData> = Object.fromEntries(entries);
  const { driverName, volumeHandle } = data;
  if (driverName === undefined || driverName === '') throw new Error('driverName is missing');
  if (volumeHandle === undefined || volumeHandle === '') throw new Error('volumeHandle is missing');
  return { ...data, driverName, volumeHandle };
}

function missing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
