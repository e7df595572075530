import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import type { ContainerRef } from '../container-ref.js';

/** One fresh instance. */
export interface ContainerRefHarness {
  readonly containerRef: ContainerRef;
}

const metadata = { name: 'web', namespace: 'shop', uid: '1234', resourceVersion: '77', labels: { app: 'web' } };
const pod: Pod = {
  metadata,
  spec: {
    containers: [{ name: 'app' }, { name: 'sidecar' }],
    initContainers: [{ name: 'prepare' }],
    ephemeralContainers: [{ name: 'debugger' }],
  },
};
const whole = { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'shop', uid: '1234', resourceVersion: '77' };

/** Every implementation of {@link ContainerRef} passes this suite; `create` gives a new instance per case. */
export function describeContainerRefContract(name: string, create: () => Promise<ContainerRefHarness>): void {
  describe(`${name} as a ContainerRef`, () => {
    it.each([
      ['app', 'spec.containers{app}'],
      ['sidecar', 'spec.containers{sidecar}'],
      ['prepare', 'spec.initContainers{prepare}'],
      ['debugger', 'spec.ephemeralContainers{debugger}'],
    ])('names the container %s by %s', async (container, fieldPath) => {
      const { containerRef } = await create();
      expect(containerRef.ofContainer(pod, { name: container })).toEqual({ ...whole, fieldPath });
    });

    it('names a container without a name by its index', async () => {
      const { containerRef } = await create();
      const unnamed = { metadata, spec: { containers: [{ name: 'app' }, { name: '' }] } };
      expect(containerRef.ofContainer(unnamed, { name: '' }).fieldPath).toBe('spec.containers[1]');
    });

    it('throws not-found for a container of another pod', async () => {
      const { containerRef } = await create();
      let thrown: unknown;
      try {
        containerRef.ofContainer(pod, { name: 'other' });
      } catch (error) {
        thrown = error;
      }
      expect(hasCode(thrown, 'not-found')).toBe(true);
      expect(thrown).toMatchObject({ message: 'container "other" not found in pod shop/web' });
    });

    it('names the pod, with nothing that it has not', async () => {
      const { containerRef } = await create();
      expect(containerRef.ofPod(pod)).toEqual(whole);
      expect(containerRef.ofPod({ metadata: { name: 'web' } })).toEqual({ apiVersion: 'v1', kind: 'Pod', name: 'web' });
    });
  });
}
