import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import type { ConfigMap, Pod } from '@podwright/kube-types';
import type { ConfigMapManager } from '../configmap-manager.js';

export interface ConfigMapManagerHarness {
  readonly manager: ConfigMapManager;
  /** Puts an object into the API server; absent when the manager has none. */
  readonly put?: (object: ConfigMap) => void;
}

const pod: Pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u1' },
  spec: {
    containers: [{ name: 'app', envFrom: [{ configMapRef: { name: 'known' } }] }],
  },
};

/** What every manager of this kind has to do, with or without an API server behind it. */
export function describeConfigMapManagerContract(name: string, create: () => Promise<ConfigMapManagerHarness>): void {
  describe(`${name} as a ConfigMapManager`, () => {
    it('rejects for an object that is not there, or says that there is no API server', async () => {
      const { manager, put } = await create();
      const error: unknown = await manager.get('default', 'missing').catch((thrown: unknown) => thrown);
      expect(hasCode(error, put === undefined ? 'failed-precondition' : 'not-found')).toBe(true);
      expect((error as Error).message).toContain('missing');
    });

    it('gives the object of the right namespace', async () => {
      const { manager, put } = await create();
      if (put === undefined) return;
      put({ metadata: { namespace: 'other', name: 'known' }, data: { a: 'b3RoZXI=' } });
      put({ metadata: { namespace: 'default', name: 'known' }, data: { a: 'ZGVmYXVsdA==' } });
      manager.registerPod(pod);
      expect((await manager.get('default', 'known')).data).toEqual({ a: 'ZGVmYXVsdA==' });
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
