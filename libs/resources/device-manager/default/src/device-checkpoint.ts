import { fnv1a32, goDump, goString, type GoStruct, type GoType } from '@podwright/checkpoint';
import type { ContainerAllocateResponse } from '@podwright/device-manager-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { AllocationEntry } from './device-allocations.js';
import { devicePluginMethods as received } from './generated/client-codecs.js';
import { devicePluginMethods as sent } from './generated/server-codecs.js';

export const deviceCheckpointName = 'kubelet_internal_checkpoint';

export interface DeviceCheckpoint {
  readonly allocations: readonly AllocationEntry[];
  /** Healthy ids by resource. Only the names are read again: the plugins tell the rest anew. */
  readonly registered: Readonly<Record<string, readonly string[]>>;
}

const strings: GoType = { kind: 'slice', name: '[]string', element: goString };
const bytes: GoType = {
  kind: 'marshaled',
  type: { kind: 'slice', name: '[]uint8', element: { kind: 'number', name: 'uint8' } },
  fromJson: (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value),
};
const text = (name: string): GoStruct['fields'][number] => ({ name, key: name, type: goString });
const entryType: GoStruct = {
  kind: 'struct',
  name: 'checkpoint.PodDevicesEntry',
  fields: [
    ...['PodUID', 'ContainerName', 'ResourceName'].map(text),
    {
      name: 'DeviceIDs',
      key: 'DeviceIDs',
      type: { kind: 'map', name: 'checkpoint.DevicesPerNUMA', value: strings, numericKeys: true },
    },
    { name: 'AllocResp', key: 'AllocResp', type: bytes },
  ],
};
// Not a pointer, unlike other checkpoints: the checksum is of the inner value.
const dataType: GoStruct = {
  kind: 'struct',
  name: 'checkpoint.checkpointData',
  fields: [
    {
      name: 'PodDeviceEntries',
      key: 'PodDeviceEntries',
      type: { kind: 'slice', name: '[]checkpoint.PodDevicesEntry', element: entryType },
    },
    {
      name: 'RegisteredDevices',
      key: 'RegisteredDevices',
      type: { kind: 'map', name: 'map[string][]string', value: strings },
    },
  ],
};

interface FileEntry {
  readonly PodUID: string;
  readonly ContainerName: string;
  readonly ResourceName: string;
  readonly DeviceIDs: Readonly<Record<string, readonly string[]>> | null;
  /** Base64 of the protobuf message. */
  readonly AllocResp: string | null;
}

interface FileData {
  readonly PodDeviceEntries: readonly FileEntry[] | null;
  readonly RegisteredDevices: Readonly<Record<string, readonly string[]>> | null;
}

/** The file's text, key by key as upstream writes it. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/checkpoint/checkpoint.go. */
export function encodeDeviceCheckpoint({ allocations, registered }: DeviceCheckpoint): string {
  const entries = allocations.map(({ podUid, container, resource, allocation }): FileEntry => ({
    PodUID: podUid,
    ContainerName: container,
    ResourceName: resource,
    DeviceIDs: sorted([...allocation.idsByNode].map(([node, ids]) => [String(node), ids])),
    AllocResp: encodeResponse(allocation.response).toString('base64'),
  }));
  const Data: FileData = {
    // Go's nil slice.
    PodDeviceEntries: entries.length === 0 ? null : entries,
    RegisteredDevices: sorted(Object.entries(registered)),
  };
  return JSON.stringify({ Data, Checksum: checksum(Data) });
}

/**
 * Reads such a file. Throws `data-loss` when it is torn or its checksum is wrong. `skipped` hears of entries that cannot be
 * understood.
 */
export function decodeDeviceCheckpoint(content: string, skipped: (problem: string) => void): DeviceCheckpoint {
  const data = checkedData(content);
  const allocations = (data.PodDeviceEntries ?? []).flatMap((entry): AllocationEntry[] => {
    try {
      const response = decodeResponse(Buffer.from(entry.AllocResp ?? '', 'base64'));
      const idsByNode = new Map(Object.entries(entry.DeviceIDs ?? {}).map(([node, ids]) => [Number(node), ids]));
      const { PodUID: podUid, ContainerName: container, ResourceName: resource } = entry;
      return [{ podUid, container, resource, allocation: { idsByNode, response } }];
    } catch (error) {
      skipped(`${entry.ResourceName} of container ${entry.ContainerName} of pod ${entry.PodUID}: ${messageOf(error)}`);
      return [];
    }
  });
  return { allocations, registered: data.RegisteredDevices ?? {} };
}

function checkedData(content: string): FileData {
  try {
    const { Data: data, Checksum: found } = JSON.parse(content) as { Data: FileData; Checksum: unknown };
    const expected = checksum(data);
    if (found !== expected) throw new Error(`checksum is ${String(found)}, expected ${expected}`);
    return data;
  } catch (error) {
    const message = `checkpoint ${deviceCheckpointName} is corrupted: ${messageOf(error)}`;
    throw new KubeletError(message, { code: 'data-loss', cause: error });
  }
}

const checksum = (data: FileData): number => fnv1a32(goDump(data, dataType));

const sorted = <T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

// The file has the answer for one container, the codecs know the message around it: its one field, number 1.
const fieldTag = 0x0a;

function encodeResponse(response: ContainerAllocateResponse): Buffer {
  const message = sent.allocate.encode({ containerResponses: [response] });
  let at = 1;
  while ((message[at] as number) > 127) at += 1;
  return message.subarray(at + 1);
}

function decodeResponse(response: Buffer): ContainerAllocateResponse {
  const length: number[] = [];
  let rest = response.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  const message = Buffer.concat([Buffer.from([fieldTag, ...length, rest]), response]);
  const [decoded] = received.allocate.decode(message).containerResponses;
  if (decoded === undefined) throw new Error('no answer in the message');
  return decoded;
}
