import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import type { Secret, Pod } from '@podwright/kube-types';
import type { SecretManager } from '../secret-manager.js';

export interface SecretManagerHarness {
  readonly manager: SecretManager;
  /** Puts an object into the API server, or changes it; absent when the manager has none. */
  readonly put?: (object: Secret) => Promise<void>;
  /** Lets so much time go by that a manager must have noticed what changed. */
  readonly passTime?: () => Promise<void>;
}

const podWith = (uid: string, name: string): Pod => ({
  metadata: { name: `web-${uid}`, namespace: 'default', uid },
  spec: { containers: [{ name: 'app', envFrom: [{ secretRef: { name } }] }] },
});
const pod = podWith('u1', 'known');

/** What every manager of this kind has to do, with or without an API server behind it. */
export function describeSecretManagerContract(name: string, create: () => Promise<SecretManagerHarness>): void {
  describe(`${name} as a SecretManager`, () => {
    it('rejects for an object that is not there, or says that there is no API server', async () => {
      const { manager, put } = await create();
      manager.registerPod(podWith('u1', 'missing'));
      const error: unknown = await manager.get('default', 'missing').catch((thrown: unknown) => thrown);
      expect(hasCode(error, put === undefined ? 'failed-precondition' : 'not-found')).toBe(true);
      expect((error as Error).message).toContain('missing');
    });

    it('gives the object of the right namespace', async () => {
      const { manager, put } = await create();
      if (put === undefined) return;
      await put({ metadata: { namespace: 'other', name: 'known' }, data: { a: 'b3RoZXI=' } });
      await put({ metadata: { namespace: 'default', name: 'known' }, data: { a: 'ZGVmYXVsdA==' } });
      manager.registerPod(pod);
      expect((await manager.get('default', 'known')).data).toEqual({ a: 'ZGVmYXVsdA==' });
    });

    it('notices what changes, for as long as one of several pods refers to the object', async () => {
      const { manager, put, passTime } = await create();
      if (put === undefined || passTime === undefined) return;
      const metadata = { namespace: 'default', name: 'known' };
      await put({ metadata, data: { a: 'b25l' } });
      manager.registerPod(pod);
      manager.registerPod(podWith('u2', 'known'));
      expect((await manager.get('default', 'known')).data).toEqual({ a: 'b25l' });
      manager.unregisterPod(pod);
      await put({ metadata, data: { a: 'dHdv' } });
      await passTime();
      expect((await manager.get('default', 'known')).data).toEqual({ a: 'dHdv' });
    });

    it('shows a pod what was written before it came, also when another asked before that', async () => {
      const { manager, put, passTime } = await create();
      if (put === undefined || passTime === undefined) return;
      manager.registerPod(pod);
      await manager.get('default', 'known').catch(() => undefined);
      await put({ metadata: { namespace: 'default', name: 'known' }, data: { a: 'b25l' } });
      manager.registerPod(podWith('u2', 'known'));
      await passTime();
      expect((await manager.get('default', 'known')).data).toEqual({ a: 'b25l' });
    });

    it('gives an immutable object as well as any other', async () => {
      const { manager, put } = await create();
      if (put === undefined) return;
      await put({ metadata: { namespace: 'default', name: 'known' }, immutable: true, data: { a: 'b25l' } });
      manager.registerPod(pod);
      const first = await manager.get('default', 'known');
      expect(first.data).toEqual({ a: 'b25l' });
      expect(await manager.get('default', 'known')).toEqual(first);
    });

    it('bears registrations in any order, twice and without their counterpart', async () => {
      const { manager } = await create();
      expect(() => {
        manager.unregisterPod(pod);
        manager.registerPod(pod);
        manager.registerPod(pod);
        manager.unregisterPod(pod);
        manager.unregisterPod(pod);
        manager.registerPod(pod);
      }).not.toThrow();
    });
  });
}
