import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import type { HintProvider, TopologyManager } from '@podwright/topology-manager-interface';
import { describeTopologyManagerContract } from '@podwright/topology-manager-interface/contract';
import type { TopologyManagerHarness } from '@podwright/topology-manager-interface/contract';
import { createAligningTopologyManager } from './aligning-topology-manager.module.js';

async function create(): Promise<TopologyManagerHarness> {
  const machine = { read: async () => ({ nodes: [], cpuCount: 0, socketCount: 1 }) };
  const deps = { machine, clock: new VirtualClock(), logger: createMemoryLogger(0), metrics: createMetricsRegistry() };
  return { topology: createAligningTopologyManager(deps) };
}

type Broken = (good: TopologyManagerHarness) => Partial<TopologyManagerHarness>;

const broken = (replaced: (good: TopologyManager) => Partial<TopologyManager>): Broken =>
  breaksIn('topology', replaced);
/** One that does something of its own with the providers. */
const admitting = (
  admit: (good: TopologyManager, providers: readonly HintProvider[], pod: Pod) => Promise<void>,
): Broken =>
  broken((good) => {
    const providers = new Set<HintProvider>();
    return {
      addHintProvider: (provider) => {
        const remove = good.addHintProvider(provider);
        providers.add(provider);
        return () => {
          remove();
          providers.delete(provider);
        };
      },
      admit: (pod) => admit(good, [...providers], pod),
    };
  });
const failing = (change: (error: KubeletError) => Partial<Pick<KubeletError, 'reason' | 'message'>>): Broken =>
  broken((good) => ({
    admit: (pod) =>
      good.admit(pod).catch((thrown: unknown) => {
        const error = KubeletError.from(thrown);
        const { message = error.message, reason = error.reason ?? '' } = change(error);
        throw new KubeletError(message, { code: error.code, reason });
      }),
  }));
const withPod = (change: (spec: Pod['spec']) => Pod['spec']): Broken =>
  broken((good) => ({ admit: (pod) => good.admit({ ...pod, spec: change(pod.spec) }) }));
const lastOf = (pod: Pod): Container => pod.spec.containers.at(-1) ?? { name: '' };

describeContractProof(
  'TopologyManager',
  (make) => describeTopologyManagerContract('a broken TopologyManager', make),
  create,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('topology'),
    },
    'asks every provider for each container, init containers first, in the order of adding': {
      'it passes over the init containers': withPod(({ containers }) => ({ containers })),
      'the init containers come last': withPod(({ containers, initContainers = [] }) => ({
        containers: [...containers, ...initContainers],
      })),
      'the last added comes first': admitting(async (_good, providers, pod) => {
        for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
          for (const provider of providers.toReversed()) await provider.allocate(pod, container);
        }
      }),
      'nobody can leave': broken((good) => ({
        addHintProvider: (provider) => {
          good.addHintProvider(provider);
          return () => undefined;
        },
      })),
      'who leaves twice is refused': broken((good) => ({
        addHintProvider: (provider) => {
          let removed = false;
          const remove = good.addHintProvider(provider);
          return () => {
            if (removed) throw new Error('removed already');
            removed = true;
            remove();
          };
        },
      })),
    },
    'refuses a pod with the reason of the provider, or as unexpected, and asks nobody after that': {
      'it admits it': broken((good) => ({ admit: (pod) => good.admit(pod).catch(() => undefined) })),
      'the reason is its own': failing(() => ({ reason: 'TopologyAffinityError' })),
      'what is unexpected has no reason': failing(({ message }) => (message === 'no room' ? {} : { reason: '' })),
      'what is unexpected is told in other words': failing(({ message }) => ({ message: message.slice(0, 7) })),
      'it asks the next one': admitting((good, providers, pod) =>
        good.admit(pod).catch(async (error: unknown) => {
          await providers.at(-1)?.allocate(pod, lastOf(pod));
          throw error;
        }),
      ),
      'it refuses ever after': broken((good) => {
        let refusals = 0;
        return {
          admit: (pod) => {
            if (refusals > 1) return Promise.reject(new Error('refused before'));
            return good.admit(pod).catch((error: unknown) => {
              refusals += 1;
              throw error;
            });
          },
        };
      }),
    },
    'admits one pod after the other': {
      'it admits them at once': admitting(async (_good, providers, pod) => {
        for (const provider of providers) await provider.allocate(pod, lastOf(pod));
      }),
    },
    'has no affinity without a decision, and takes ids of containers that it does not know': {
      'it has one': broken(() => ({ affinityOf: () => ({ numaNodes: [0], preferred: true }) })),
      'an unknown id is refused': broken((good) => ({
        removeContainer: (containerId) => {
          if (containerId === 'never') throw new Error('unknown container');
          good.removeContainer(containerId);
        },
      })),
      'an id that was removed before is refused': broken((good) => {
        const removed = new Set<string>();
        return {
          removeContainer: (containerId) => {
            if (removed.has(containerId)) throw new Error('removed before');
            removed.add(containerId);
            good.removeContainer(containerId);
          },
        };
      }),
    },
  },
);
