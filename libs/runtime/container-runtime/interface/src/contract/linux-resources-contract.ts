import { describe, expect, it } from '@podwright/contract';
import type { Container, Pod, ResourceRequirements } from '@podwright/kube-types';
import type { LinuxResources } from '../resources/linux-resources.js';

const pod = (resources: ResourceRequirements, spec: Partial<Pod['spec']> = {}): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1' },
  spec: { containers: [{ name: 'app', resources }, { name: 'other' }], ...spec },
});
const firstOf = ({ spec }: Pod): Container => spec.containers[0] ?? { name: '' };

/** Every {@link LinuxResources} passes this suite. */
export function describeLinuxResourcesContract(
  title: string,
  create: () => { readonly resources: LinuxResources },
): void {
  const ofContainer = (resources: ResourceRequirements) => {
    const given = pod(resources);
    return create().resources.ofContainer(given, firstOf(given));
  };

  describe(`${title} as LinuxResources`, () => {
    it('gives shares in proportion to the CPU request', async () => {
      const [one, two] = [await ofContainer({ requests: { cpu: '1' } }), await ofContainer({ requests: { cpu: '2' } })];
      expect(one.cpuShares).toBe(1024n);
      expect(two.cpuShares).toBe(2048n);
    });

    it('takes the CPU limit for a missing request', async () => {
      expect((await ofContainer({ limits: { cpu: '2' } })).cpuShares).toBe(2048n);
    });

    it('limits memory where the container has a limit', async () => {
      expect((await ofContainer({ limits: { memory: '64Mi' } })).memoryLimitInBytes).toBe(64n * 1024n ** 2n);
      expect((await ofContainer({ requests: { memory: '64Mi' } })).memoryLimitInBytes).toBeUndefined();
    });

    it('lets the kernel kill BestEffort containers first', async () => {
      expect((await ofContainer({})).oomScoreAdj).toBe(1000n);
    });

    it('adds the containers of a pod, without its overhead', () => {
      const overhead = { cpu: '1', memory: '32Mi' };
      const given = pod({ requests: { cpu: '1' } }, { overhead });
      expect(create().resources.ofSandbox(given).cpuShares).toBe(1024n);
    });

    it('shows the overhead apart, and nothing for a pod without one', () => {
      const overhead = { cpu: '1', memory: '32Mi' };
      const { resources } = create();
      expect(resources.overheadOf(pod({}, { overhead }))).toMatchObject({
        cpuShares: 1024n,
        memoryLimitInBytes: 32n * 1024n ** 2n,
      });
      expect(resources.overheadOf(pod({}))).toEqual({});
    });
  });
}
