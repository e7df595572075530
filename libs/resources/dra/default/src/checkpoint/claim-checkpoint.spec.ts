import { describe, expect, it } from '@jest/globals';
import type { ClaimDevice, ClaimInfo } from '../claims/claim-info.js';
import { decodeClaimCheckpoint, encodeClaimCheckpoint } from './claim-checkpoint.js';

// Content and checksums of upstream's own test.
const device: ClaimDevice = {
  poolName: 'worker-1',
  deviceName: 'dev-1',
  requestNames: ['test request'],
  cdiDeviceIds: ['example.com/example=cdi-example'],
};
const claim = (more: Partial<ClaimInfo> = {}, ...devices: readonly ClaimDevice[]): ClaimInfo => ({
  claimUid: '067798be-454e-4be4-9047-1aa06aea63f7',
  claimName: 'example',
  namespace: 'default',
  podUids: new Set(['139cdb46-f989-4f17-9561-ca10cfb509a6']),
  drivers: new Map([['test-driver.cdi.k8s.io', devices.length === 0 ? [device] : devices]]),
  prepared: false,
  ...more,
});
const second = claim(
  { claimUid: '4cf8db2d-06c0-7d70-1a51-e59b25b2c16c', claimName: 'example-2' },
  { ...device, deviceName: 'dev-2', requestNames: [], cdiDeviceIds: [] },
);
const shared = claim({}, { ...device, shareId: 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa' });

describe('the checkpoint of claims', () => {
  it.each([
    ['one claim', [claim()], 2570581864],
    ['a share id', [shared], 736302156],
    ['two devices', [claim({}, device, { ...device, deviceName: 'dev-2' })], 1223221469],
    ['two claims', [claim({ claimName: 'example-1' }), second], 2820117767],
  ] as const)("of %s has upstream's checksum, and is read as it was written", (_what, claims, checksum) => {
    const text = encodeClaimCheckpoint(claims);
    expect((JSON.parse(text) as { Checksum: number }).Checksum).toBe(checksum);
    expect(decodeClaimCheckpoint(text)).toEqual(claims);
  });

  it('has the keys and the order of upstream; a new file has no list', () => {
    const data = (text: string): unknown => (JSON.parse(text) as { Data: string }).Data;
    const empty = '{"kind":"DRACheckpoint","apiVersion":"checkpoint.dra.kubelet.k8s.io/v1","ClaimInfoStateList":';
    expect(data(encodeClaimCheckpoint(undefined))).toBe(`${empty}null}`);
    expect(data(encodeClaimCheckpoint([]))).toBe(`${empty}[]}`);
    const unanswered = claim({ podUids: new Set(['b', 'a']), drivers: new Map([['d', []]]) });
    expect(data(encodeClaimCheckpoint([unanswered]))).toBe(
      `${empty}[{"ClaimUID":"067798be-454e-4be4-9047-1aa06aea63f7","ClaimName":"example","Namespace":"default",` +
        '"PodUIDs":{"a":{},"b":{}},"DriverState":{"d":{"Devices":null}}}]}',
    );
  });

  it('of another version is read: unknown fields are skipped, missing ones are empty', () => {
    const data = '{"apiVersion":"v9","more":1,"ClaimInfoStateList":[{"ClaimName":"c","DriverState":{"d":{"x":1}}}]}';
    // The checksum of this text.
    const text = encodeClaimCheckpoint([]);
    expect(() => decodeClaimCheckpoint(JSON.stringify({ ...JSON.parse(text), Data: data }))).toThrow('corrupted');
    const checked = JSON.stringify({ Data: data, Checksum: crc(data) });
    expect(decodeClaimCheckpoint(checked)).toEqual([
      {
        ...{ claimUid: '', claimName: 'c', namespace: '', prepared: false },
        podUids: new Set(),
        drivers: new Map([['d', []]]),
      },
    ]);
  });

  it.each([
    ['torn', (text: string) => text.slice(0, text.length / 2)],
    ['changed', (text: string) => text.replace('dev-1', 'dev-2')],
    ['empty', () => ''],
  ])('that is %s is refused', (_what, spoil) => {
    expect(() => decodeClaimCheckpoint(spoil(encodeClaimCheckpoint([claim()])))).toThrow();
  });
});

/** CRC-32 IEEE, bit by bit. */
function crc(text: string): number {
  let value = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
