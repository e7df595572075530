import { describe, expect, it } from '@jest/globals';
import type { AllocationEntry } from '../allocation/device-allocations.js';
import { decodeDeviceCheckpoint, encodeDeviceCheckpoint, type DeviceCheckpoint } from './device-checkpoint.js';

const entry = (value: string): AllocationEntry => ({
  ...{ podUid: 'pod', container: 'main', resource: 'example.com/gpu' },
  allocation: {
    idsByNode: new Map([
      [-1, ['a']],
      [0, ['b', 'c']],
    ]),
    response: {
      envs: { KEY: value },
      mounts: [{ hostPath: '/h', containerPath: '/c', readOnly: true }],
      devices: [{ hostPath: '/dev/null', containerPath: '/dev/x', permissions: 'mrw' }],
      annotations: {},
      cdiDevices: [{ name: 'v.com/c=d' }],
    },
  },
});
const checkpoint: DeviceCheckpoint = {
  allocations: [entry('value')],
  registered: { 'example.com/gpu': ['a', 'b', 'c'], 'example.com/a': [] },
};
const decode = (text: string): DeviceCheckpoint =>
  decodeDeviceCheckpoint(text, (problem) => {
    throw new Error(problem);
  });

describe('the checkpoint of devices', () => {
  it('has the keys and the order of upstream', () => {
    const { Data, Checksum } = JSON.parse(encodeDeviceCheckpoint({ ...checkpoint, allocations: [] })) as {
      Data: object;
      Checksum: number;
    };
    expect(JSON.stringify(Data)).toBe(
      '{"PodDeviceEntries":null,"RegisteredDevices":{"example.com/a":[],"example.com/gpu":["a","b","c"]}}',
    );
    // FNV-1a of `(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)<nil>
    // RegisteredDevices:(map[string][]string)map[example.com/a:[] example.com/gpu:[a b c]]}`.
    expect(Checksum).toBe(
      fnv(
        '(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)<nil> RegisteredDevices:(map[string][]string)map[example.com/a:[] example.com/gpu:[a b c]]}',
      ),
    );
  });

  it("has the checksum of Go's dump, bytes as numbers and nodes in the order of their number", () => {
    const text = encodeDeviceCheckpoint(checkpoint);
    const { Data, Checksum } = JSON.parse(text) as {
      Data: { PodDeviceEntries: { AllocResp: string; DeviceIDs: object }[] };
      Checksum: number;
    };
    const [first] = Data.PodDeviceEntries;
    expect(first?.DeviceIDs).toEqual({ '-1': ['a'], '0': ['b', 'c'] });
    const bytes = [...Buffer.from(first?.AllocResp ?? '', 'base64')].join(' ');
    expect(Checksum).toBe(
      fnv(
        '(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)[{PodUID:(string)pod ' +
          'ContainerName:(string)main ResourceName:(string)example.com/gpu ' +
          'DeviceIDs:(checkpoint.DevicesPerNUMA)map[-1:[a] 0:[b c]] ' +
          `AllocResp:([]uint8)[${bytes}]}] RegisteredDevices:(map[string][]string)map[example.com/a:[] ` +
          'example.com/gpu:[a b c]]}',
      ),
    );
  });

  it.each(['short', 'x'.repeat(200), 'y'.repeat(40_000)])('is read as it was written', (value) => {
    const written = { ...checkpoint, allocations: [entry(value)] };
    expect(decode(encodeDeviceCheckpoint(written))).toEqual(written);
  });

  it('of another writer is read: protobuf bytes in any order of fields', () => {
    // annotations {"k":"v"} before envs {"a":"b"}.
    const response = Buffer.from([0x22, 6, 0x0a, 1, 0x6b, 0x12, 1, 0x76, 0x0a, 6, 0x0a, 1, 0x61, 0x12, 1, 0x62]);
    const Data = {
      PodDeviceEntries: [
        {
          PodUID: 'p',
          ContainerName: 'c',
          ResourceName: 'r/d',
          DeviceIDs: { '0': ['x'] },
          AllocResp: response.toString('base64'),
        },
      ],
      RegisteredDevices: {},
    };
    const dump =
      '(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)[{PodUID:(string)p ' +
      'ContainerName:(string)c ResourceName:(string)r/d DeviceIDs:(checkpoint.DevicesPerNUMA)map[0:[x]] ' +
      `AllocResp:([]uint8)[${[...response].join(' ')}]}] RegisteredDevices:(map[string][]string)map[]}`;
    const { allocations } = decode(JSON.stringify({ Data, Checksum: fnv(dump) }));
    expect(allocations[0]?.allocation.response).toMatchObject({ envs: { a: 'b' }, annotations: { k: 'v' } });
  });

  it.each([
    ['torn', (text: string) => text.slice(0, text.length / 2)],
    ['changed', (text: string) => text.replace('"main"', '"mine"')],
    ['of something else', () => '[]'],
    ['empty', () => ''],
  ])('that is %s is not believed', (_case, spoil) => {
    const text = spoil(encodeDeviceCheckpoint(checkpoint));
    expect(() => decode(text)).toThrow(/^checkpoint kubelet_internal_checkpoint is corrupted: /);
  });
});

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
