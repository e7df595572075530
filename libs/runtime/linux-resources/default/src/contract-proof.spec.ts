import { describe, expect, it } from '@jest/globals';
import { breaksIn, describeContractProof } from '@podwright/contract';
import {
  describeLinuxResourcesContract,
  describePodResizerContract,
} from '@podwright/container-runtime-interface/contract';
import type { LinuxResources, PodResizer } from '@podwright/container-runtime-interface';
import { resizerHarness, type ResizerHarness } from './fixtures/resizer-harness.js';
import { nodeSettings } from './fixtures/settings.js';
import { createLinuxResources } from './linux-resources.module.js';

interface ResourcesHarness {
  readonly resources: LinuxResources;
}

const resourcesHarness = (): ResourcesHarness => ({ resources: createLinuxResources({}, nodeSettings) });
describeLinuxResourcesContract('SettingsLinuxResources', resourcesHarness);
describePodResizerContract('InPlacePodResizer', resizerHarness);

describe('huge pages', () => {
  it('have a limit for each size that the kernel knows; a kernel without them has none', async () => {
    const pod = { metadata: {}, spec: { containers: [{ name: 'a' }] } };
    const resources = createLinuxResources({}, { hugePagesDir: '/nonexistent' });
    expect((await resources.ofContainer(pod, { name: 'a' })).hugepageLimits).toEqual([]);
  });
});

const broken = (
  replaced: (good: LinuxResources) => Partial<LinuxResources>,
): ((good: ResourcesHarness) => Partial<ResourcesHarness>) => breaksIn('resources', replaced);
const ofContainer = (change: object) =>
  broken((good) => ({
    ofContainer: async (pod, container) => ({ ...(await good.ofContainer(pod, container)), ...change }),
  }));

describeContractProof(
  'LinuxResources',
  (create) => describeLinuxResourcesContract('broken resources', create),
  resourcesHarness,
  {
    'gives shares in proportion to the CPU request': { 'all get the same': ofContainer({ cpuShares: 1024n }) },
    'takes the CPU limit for a missing request': { 'it counts as nothing': ofContainer({ cpuShares: 2n }) },
    'limits memory where the container has a limit': {
      'there is no limit': ofContainer({ memoryLimitInBytes: undefined }),
      'a request is a limit': ofContainer({ memoryLimitInBytes: 64n * 1024n ** 2n }),
    },
    'lets the kernel kill BestEffort containers first': { 'nobody is preferred': ofContainer({ oomScoreAdj: 0n }) },
    'adds the containers of a pod, without its overhead': {
      'the overhead is in it': broken(() => ({ ofSandbox: () => ({ cpuShares: 2048n }) })),
    },
    'shows the overhead apart, and nothing for a pod without one': {
      'it is not shown': broken(() => ({ overheadOf: () => ({}) })),
      'a pod without overhead has one': broken((good) => ({
        overheadOf: (pod) => (pod.spec.overhead === undefined ? { cpuShares: 2n } : good.overheadOf(pod)),
      })),
    },
  },
);

const breaks = (
  replaced: (good: PodResizer, harness: ResizerHarness) => Partial<PodResizer>,
): ((good: ResizerHarness) => Partial<ResizerHarness>) => breaksIn('resizer', replaced);
const planWith = (change: object) => breaks((good) => ({ plan: (pod) => Object.assign(good.plan(pod), change) }));
const nothing = { memory: [], cpu: [], updatePod: false, updatePodLevel: false };

describeContractProof(
  'PodResizer',
  (create) => describePodResizerContract('a broken resizer', create),
  resizerHarness,
  {
    'plans nothing for a pod that has what it was granted': {
      'it always plans': planWith({ result: () => nothing }),
      'it restarts all': planWith({ keeps: () => false }),
    },
    'updates a running container that was granted something else': {
      'it plans nothing': planWith({ result: () => undefined }),
      'it restarts the container': planWith({ keeps: () => false }),
    },
    'restarts a container whose policy says so, and updates its pod only': {
      'the container stays': planWith({ keeps: () => true }),
      'the pod stays as it is': planWith({ result: () => nothing }),
    },
    'does not resize static pods': {
      'it does': breaks((good) => ({
        plan: (pod) => good.plan({ ...pod, metadata: { ...pod.metadata, annotations: {} } }),
      })),
    },
    'asks the runtime, and records what it has accepted': {
      'it asks nobody': breaks(() => ({
        resize: async () => ({ action: 'ResizePodInPlace', target: 'web_default(uid-1)' }),
      })),
      'its result names no pod': breaks((good) => ({
        resize: async (...given) => ({ ...(await good.resize(...given)), target: '' }),
      })),
    },
    'reports a refusal, and keeps the record': {
      'it rejects': breaks((good) => ({
        resize: async (...given) => {
          const result = await good.resize(...given);
          if (result.error !== undefined) throw new Error(result.error.message);
          return result;
        },
      })),
      'it records what was refused': breaks((good, harness) => ({
        resize: async (...given) => {
          const result = await good.resize(...given);
          harness.setAccepted({ limits: { cpu: '2' } });
          return result;
        },
      })),
    },
  },
);
