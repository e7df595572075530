import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { ConfigMap, EnvFromSource, Pod, Secret } from '@podwright/kube-types';
import type { ReferencedObjectManager } from '../referenced-object-manager.js';

export interface ReferencedObjectHarness<T> {
  readonly manager: ReferencedObjectManager<T>;
  /** Creates or updates an object on the API server. */
  readonly put: (object: T) => Promise<void>;
  /** Waits, or advances the clock, until the manager must have seen the latest change. */
  readonly passTime: () => Promise<void>;
}

interface Kind {
  readonly role: string;
  readonly refersTo: (name: string) => EnvFromSource;
  readonly create: () => Promise<ReferencedObjectHarness<Secret> | ReferencedObjectHarness<ConfigMap>>;
}

/** Every `SecretManager` with an API server passes this suite. */
export function describeSecretManagerContract(
  name: string,
  create: () => Promise<ReferencedObjectHarness<Secret>>,
): void {
  describeContract(name, { role: 'SecretManager', refersTo: (secret) => ({ secretRef: { name: secret } }), create });
}

/** Every `ConfigMapManager` with an API server passes this suite. */
export function describeConfigMapManagerContract(
  name: string,
  create: () => Promise<ReferencedObjectHarness<ConfigMap>>,
): void {
  describeContract(name, { role: 'ConfigMapManager', refersTo: (map) => ({ configMapRef: { name: map } }), create });
}

function describeContract(name: string, { role, refersTo, create }: Kind): void {
  const podWith = (uid: string, object: string): Pod => ({
    metadata: { name: `web-${uid}`, namespace: 'default', uid },
    spec: { containers: [{ name: 'app', envFrom: [refersTo(object)] }] },
  });
  const pod = podWith('u1', 'known');

  describe(`${name} as a ${role}`, () => {
    it('rejects for an object that is not there', async () => {
      const { manager } = await create();
      manager.registerPod(podWith('u1', 'missing'));
      const error: unknown = await manager.get('default', 'missing').catch((thrown: unknown) => thrown);
      expect(hasCode(error, 'not-found')).toBe(true);
      expect((error as Error).message).toContain('missing');
    });

    it('gives the object of the right namespace', async () => {
      const { manager, put } = await create();
      await put({ metadata: { namespace: 'other', name: 'known' }, data: { a: 'b3RoZXI=' } });
      await put({ metadata: { namespace: 'default', name: 'known' }, data: { a: 'ZGVmYXVsdA==' } });
      manager.registerPod(pod);
      expect((await manager.get('default', 'known')).data).toEqual({ a: 'ZGVmYXVsdA==' });
    });

    it('notices what changes, for as long as one of several pods refers to the object', async () => {
      const { manager, put, passTime } = await create();
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
      manager.registerPod(pod);
      await manager.get('default', 'known').catch(() => undefined);
      await put({ metadata: { namespace: 'default', name: 'known' }, data: { a: 'b25l' } });
      manager.registerPod(podWith('u2', 'known'));
      await passTime();
      expect((await manager.get('default', 'known')).data).toEqual({ a: 'b25l' });
    });

    it('gives an immutable object as well as any other', async () => {
      const { manager, put } = await create();
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
