import { describe, expect, it } from '@jest/globals';
import type { PodResourceState } from '@podwright/allocation-interface';
import { goDump, goString } from '@podwright/checkpoint';
import { fnv1a32 } from '@podwright/kube-types';
import { decodeResourceCheckpoint, encodeResourceCheckpoint } from './resource-checkpoint.js';

describe('the resource checkpoint', () => {
  it('reads a file that upstream wrote, before pod-level resources came', () => {
    const data = '{"entries":{"pod1":{"ContainerResources":{"container1":{"requests":{"cpu":"1Ki","memory":"1Ki"}}}}}}';
    const text = JSON.stringify({ data, checksum: 1178570812 });
    expect(decodeResourceCheckpoint(text)).toEqual(
      new Map([['pod1', { containers: { container1: { requests: { cpu: '1Ki', memory: '1Ki' } } } }]]),
    );
  });

  it('writes what upstream writes, in its order and notation', () => {
    const entries = new Map<string, PodResourceState>([
      ['uid-b', { containers: { z: {}, a: { requests: { memory: '1024Mi', cpu: '1000m' }, limits: { cpu: '0.5' } } } }],
      ['uid-a', { containers: {}, pod: { limits: { memory: '1Gi' } } }],
    ]);
    const data =
      '{"entries":{"uid-a":{"ContainerResources":{},"PodLevelResources":{"limits":{"memory":"1Gi"}}},' +
      '"uid-b":{"ContainerResources":{"a":{"limits":{"cpu":"500m"},"requests":{"cpu":"1","memory":"1Gi"}},"z":{}},"PodLevelResources":null}}}';
    const text = encodeResourceCheckpoint(entries);
    expect(text).toBe(`{"data":${JSON.stringify(data)},"checksum":${fnv1a32(goDump(data, goString))}}`);
    expect([...decodeResourceCheckpoint(text).keys()]).toEqual(['uid-a', 'uid-b']);
    expect(encodeResourceCheckpoint(new Map([...entries].reverse()))).toBe(text);
    const changed = encodeResourceCheckpoint(new Map([...entries, ['uid-a', { containers: {} }]]));
    expect(decodeResourceCheckpoint(changed).get('uid-a')).toEqual({ containers: {} });
  });

  it('leaves the entries out when there are none', () => {
    expect(JSON.parse(encodeResourceCheckpoint(new Map()))).toMatchObject({ data: '{}' });
    expect(decodeResourceCheckpoint(encodeResourceCheckpoint(new Map()))).toEqual(new Map());
  });

  it.each([
    ['no JSON', 'not json', /JSON/],
    ['another checksum', '{"data":"{}","checksum":1}', /corrupted/],
    ['no data', '{"checksum":1}', /data is no text/],
    ['data that is no JSON', withSum('{'), /JSON/],
    ['entries that are no object', withSum('{"entries":[]}'), /entries is no object/],
    ['a pod that is no object', withSum('{"entries":{"p":1}}'), /p is no object/],
    ['a quantity that is none', withSum('{"entries":{"p":{"ContainerResources":{"c":{"limits":{"cpu":"x"}}}}}}'), /x/],
  ])('refuses %s', (_what, text, message) => {
    expect(() => decodeResourceCheckpoint(text)).toThrow(message);
  });
});

function withSum(data: string): string {
  return JSON.stringify({ data, checksum: fnv1a32(goDump(data, goString)) });
}
