import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../objects.js';
import { staticPodUid } from './static-pod-uid.js';

describe('staticPodUid', () => {
  const a: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { hostPID: true, containers: [] } };
  const same: Pod = { kind: 'Pod', apiVersion: 'v1', spec: { containers: [], hostPID: true }, metadata: { name: 'a' } };
  const other: Pod = { ...a, spec: { containers: [], hostIPC: true } };
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
