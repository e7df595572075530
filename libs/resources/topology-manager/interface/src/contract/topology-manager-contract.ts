import { describe, expect, it } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import type { HintProvider, TopologyManager } from '../topology-manager.js';

/** One fresh instance with policy none, not started. */
export interface TopologyManagerHarness {
  readonly topology: TopologyManager;
}

const pod: Pod = {
  metadata: { name: 'p', namespace: 'n', uid: 'uid-p' },
  spec: { initContainers: [{ name: 'init' }], containers: [{ name: 'a' }, { name: 'b' }] },
};

/** A provider that records its calls in `asked`; it throws `refusal` for container `b`. */
function provider(name: string, asked: string[], refusal?: Error): HintProvider {
  return {
    name,
    hintsOf: () => ({}),
    hintsOfPod: () => ({}),
    allocate: async (_: Pod, container: Container) => {
      asked.push(`${name} ${container.name}`);
      if (container.name === 'b' && refusal !== undefined) throw refusal;
    },
  };
}

/** Every implementation of {@link TopologyManager} passes this suite; `create` gives a new instance per case. */
export function describeTopologyManagerContract(name: string, create: () => Promise<TopologyManagerHarness>): void {
  describe(`${name} as a TopologyManager`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { topology } = await create();
      await topology.stop();
      await topology.stop();
    });

    it('asks every provider for each container, init containers first, in the order of adding', async () => {
      const { topology } = await create();
      await topology.start();
      const asked: string[] = [];
      topology.addHintProvider(provider('devices', asked));
      const remove = topology.addHintProvider(provider('gone', asked));
      topology.addHintProvider(provider('cpus', asked));
      remove();
      remove();
      await topology.admit(pod);
      expect(asked).toEqual(['devices init', 'cpus init', 'devices a', 'cpus a', 'devices b', 'cpus b']);
      await topology.stop();
    });

    it('refuses a pod with the reason of the provider, or as unexpected, and asks nobody after that', async () => {
      const { topology } = await create();
      await topology.start();
      const asked: string[] = [];
      const reasoned = new KubeletError('no room', { code: 'resource-exhausted', reason: 'SMTAlignmentError' });
      const removeFirst = topology.addHintProvider(provider('devices', asked, reasoned));
      await expect(topology.admit(pod)).rejects.toMatchObject({ reason: 'SMTAlignmentError', message: 'no room' });
      removeFirst();
      const remove = topology.addHintProvider(provider('devices', asked, new Error('disk on fire')));
      topology.addHintProvider(provider('cpus', asked));
      await expect(topology.admit(pod)).rejects.toMatchObject({
        reason: 'UnexpectedAdmissionError',
        message: 'Allocate failed due to disk on fire, which is unexpected',
      });
      expect(asked.at(-1)).toBe('devices b');
      remove();
      await topology.admit(pod);
      await topology.stop();
    });

    it('admits one pod after the other', async () => {
      const { topology } = await create();
      await topology.start();
      let inside = 0;
      let most = 0;
      topology.addHintProvider({
        ...provider('slow', []),
        allocate: async () => {
          most = Math.max(most, ++inside);
          await Promise.resolve();
          inside -= 1;
        },
      });
      await Promise.all([topology.admit(pod), topology.admit(pod)]);
      expect(most).toBe(1);
      await topology.stop();
    });

    it('has no affinity without a decision, and takes ids of containers that it does not know', async () => {
      const { topology } = await create();
      await topology.start();
      expect(topology.affinityOf('uid-p', 'a')).toEqual({ preferred: false });
      topology.addContainer(pod, { name: 'a' }, 'id-1');
      topology.removeContainer('id-1');
      topology.removeContainer('id-1');
      topology.removeContainer('never');
      await topology.stop();
    });
  });
}
