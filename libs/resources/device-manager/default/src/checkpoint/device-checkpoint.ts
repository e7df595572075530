import { goDump, goString, type GoStruct, type GoType } from '@podwright/checkpoint';
import type { ContainerAllocateResponse } from '@podwright/device-manager-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { fnv1a32, goMap } from '@podwright/kube-types';
import type { AllocationEntry } from '../allocation/device-allocations.js';
import { devicePluginMethods as received } from '../generated/client-codecs.js';
import { devicePluginMethods as sent } from '../generated/server-codecs.js';

export const deviceCheckpointName = 'kubelet_internal_checkpoint';

export interface DeviceCheckpoint {
  readonly allocations: readonly AllocationEntry[];
  /** Healthy ids by resource. Only the names are read back: the plugins report their devices again. */
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
// Not a pointer, unlike other checkpoints: the checksum covers the inner value.
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

/**
 * Encodes the file with keys in upstream's order. Source: kubernetes v1.36
 * pkg/kubelet/cm/devicemanager/checkpoint/checkpoint.go.
 */
export function encodeDeviceCheckpoint({ allocations, registered }: DeviceCheckpoint): string {
  const entries = allocations.map(({ podUid, container, resource, allocation }): FileEntry => ({
    PodUID: podUid,
    ContainerName: container,
    ResourceName: resource,
    DeviceIDs: goMap([...allocation.idsByNode].map(([node, ids]) => [String(node), ids])),
    AllocResp: encodeResponse(allocation.response).toString('base64'),
  }));
  const Data: FileData = {
    // Go's nil slice.
    PodDeviceEntries: entries.length === 0 ? null : entries,
    RegisteredDevices: goMap(Object.entries(registered)),
  };
  return JSON.stringify({ Data, Checksum: checksum(Data) });
}

/**
 * Decodes the file. Throws `data-loss` when it is incomplete or its checksum is wrong. Calls `skipped` for each entry
 * that it cannot read.
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

// The file holds one container's response; the codecs decode the message around it, whose only field has number 1.
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
