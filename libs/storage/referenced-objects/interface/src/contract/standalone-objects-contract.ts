import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { ReferencedObjectManager } from '../referenced-object-manager.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u1' },
  spec: {
    containers: [{ name: 'app', envFrom: [{ secretRef: { name: 'missing' } }, { configMapRef: { name: 'missing' } }] }],
  },
};

/** Every manager without an API server passes this suite, whatever its objects; `create` gives a new instance per case. */
export function describeStandaloneObjectsContract(
  name: string,
  create: () => Promise<{ readonly manager: ReferencedObjectManager<unknown> }>,
): void {
  describe(`${name} as a ReferencedObjectManager without an API server`, () => {
    it('says that there is no API server, and which object was asked for', async () => {
      const { manager } = await create();
      manager.registerPod(pod);
      await expect(manager.get('default', 'missing')).rejects.toMatchObject({
        code: 'failed-precondition',
        message: expect.stringContaining('missing'),
      });
    });

    it('bears registrations twice and without their counterpart', async () => {
      const { manager } = await create();
      expect(() => {
        manager.unregisterPod(pod);
        manager.registerPod(pod);
        manager.registerPod(pod);
        manager.unregisterPod(pod);
        manager.unregisterPod(pod);
      }).not.toThrow();
    });
  });
}
