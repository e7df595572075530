import { describe, expect, it } from '@jest/globals';
import { decodePodManifest } from '../decode/pod-manifest.js';
import { fnv128a } from './fnv128a.js';
import { staticPodUid } from './static-pod-uid.js';

describe('fnv128a', () => {
  it.each([
    ['', '6c62272e07bb014262b821756295c58d'],
    ['a', 'd228cb696f1a8caf78912b704e4a8964'],
    ['foobar', '343e1662793c64bf6f0d3597ba446f18'],
  ])('%j', (text, digest) => {
    expect(fnv128a(Buffer.from(text))).toBe(digest);
  });

  it('equals the textbook product for any bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 97) & 0xff));
    let hash = 0x6c62272e07bb014262b821756295c58dn;
    for (const byte of bytes) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * (2n ** 88n + 0x13bn));
    expect(fnv128a(bytes)).toBe(hash.toString(16).padStart(32, '0'));
  });
});

describe('staticPodUid', () => {
  const pod = (text: string): ReturnType<typeof decodePodManifest> => decodePodManifest(text, 'p');
  const a = pod('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"hostPID":true,"containers":[]}}');
  const same = pod('kind: Pod\napiVersion: v1\nspec: {containers: [], hostPID: true}\nmetadata: {name: a}\n');
  const other = pod('kind: Pod\napiVersion: v1\nspec: {containers: [], hostIPC: true}\nmetadata: {name: a}\n');
  const origin = { file: '/m/a.yaml', nodeName: 'n' };

  it('depends on content, node and path alone', () => {
    const uid = staticPodUid(a, origin);
    expect(uid).toMatch(/^[0-9a-f]{32}$/);
    expect(staticPodUid(same, origin)).toBe(uid);
    const others = [
      staticPodUid(other, origin),
      staticPodUid(a, { ...origin, nodeName: 'm' }),
      staticPodUid(a, { ...origin, file: '/m/b.yaml' }),
      staticPodUid(a, { url: 'http://x' }),
    ];
    expect(new Set([uid, ...others]).size).toBe(5);
  });

  it('stays what it is over releases, or every static pod would be replaced by an upgrade', () => {
    expect(staticPodUid(a, origin)).toBe('4f6ee2e0295c8f3ad50cf67790e0799b');
  });
});
