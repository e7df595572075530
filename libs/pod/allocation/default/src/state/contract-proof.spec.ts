import { afterAll, beforeAll } from '@jest/globals';
import { rm } from 'node:fs/promises';
import type { ActuatedResources, AllocatedResources } from '@podwright/allocation-interface';
import { describeResourceStateContract } from '@podwright/allocation-interface/contract';
import type { ResourceStateHarness } from '@podwright/allocation-interface/contract';
import { breaks, describeContractProof } from '@podwright/contract';
import { createStateHarness, temporaryDirectory } from '../fixtures/allocation-harness.js';

type Broken = (good: ResourceStateHarness) => Partial<ResourceStateHarness>;

let base = '';
beforeAll(async () => {
  base = await temporaryDirectory();
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** `replaced` applies to the instances of one process, the first unless told otherwise. */
const allocated =
  (replaced: (good: AllocatedResources) => Partial<AllocatedResources>, process = 1): Broken =>
  ({ createAllocated }) => {
    let processes = 0;
    return {
      createAllocated: () => {
        const good = createAllocated();
        return ++processes === process ? breaks(good, replaced(good)) : good;
      },
    };
  };
const actuated =
  (replaced: (good: ActuatedResources) => Partial<ActuatedResources>, process = 1): Broken =>
  ({ createActuated }) => {
    let processes = 0;
    return {
      createActuated: () => {
        const good = createActuated();
        return ++processes === process ? breaks(good, replaced(good)) : good;
      },
    };
  };
const nothingKept = allocated(() => ({ of: () => undefined }), 2);
const swallowsFailures = (of: string): Broken =>
  allocated((good) => ({
    store: (pod) => good.store(pod).catch((error) => (pod.metadata.uid === of ? undefined : Promise.reject(error))),
  }));

describeContractProof(
  'the state of allocations',
  (create) => describeResourceStateContract('a broken state', create),
  async () => createStateHarness(await temporaryDirectory(base)),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': allocated((good) => {
        let stops = 0;
        return { stop: () => (stops++ === 0 ? good.stop() : Promise.reject(new Error('stopped already'))) };
      }),
    },
    'knows nothing of a pod that was never stored, and leaves it as it is': {
      'it knows something': allocated(() => ({ of: () => ({ containers: {} }) })),
      'it copies the pod': allocated(() => ({ withAllocation: (pod) => ({ ...pod }) })),
    },
    'shows what was stored at once, and another process does too': {
      'it shows only what is on the disk': allocated((good) => ({
        store: async (pod) => {
          await Promise.resolve();
          await good.store(pod);
        },
      })),
      'it keeps nothing': nothingKept,
    },
    'keeps what was granted when the spec asks for something else': {
      'it takes what the spec asks for': allocated(() => ({ withAllocation: (pod) => pod })),
      'it copies a pod that asks for the same': allocated((good) => ({
        withAllocation: (pod) => ({ ...good.withAllocation(pod) }),
      })),
      'it changes the pod that it was given': allocated((good) => ({
        withAllocation: (pod) => {
          const granted = good.withAllocation(pod);
          const { resources } = granted.spec.containers[0] ?? {};
          for (const container of pod.spec.containers) Object.assign(container, { resources });
          return granted;
        },
      })),
    },
    'covers sidecars and the pod level': {
      'it leaves sidecars out': allocated((good) => ({
        withAllocation: (pod) => {
          const { initContainers = [] } = pod.spec;
          const granted = good.withAllocation(pod);
          return { ...granted, spec: { ...granted.spec, initContainers } };
        },
      })),
      'it leaves the pod level out': allocated((good) => ({
        withAllocation: (pod) => {
          const { resources = {} } = pod.spec;
          const granted = good.withAllocation(pod);
          return { ...granted, spec: { ...granted.spec, resources } };
        },
      })),
    },
    'forgets removed pods and orphans, also on the disk': {
      'it removes nothing': allocated(() => ({ remove: () => Promise.resolve() })),
      'it removes no orphans': allocated(() => ({ removeOrphans: () => Promise.resolve() })),
      'it removes all': allocated((good) => ({ removeOrphans: () => good.removeOrphans(new Set()) })),
      'it rejects for an unknown pod': allocated((good) => ({
        remove: (podUid) => (podUid === 'uid-a' ? good.remove(podUid) : Promise.reject(new Error('unknown pod'))),
      })),
      'a removed pod stays on the disk': allocated(() => ({ of: () => ({ containers: {} }) }), 2),
      'an orphan stays on the disk': allocated(() => ({ of: () => ({ containers: {} }) }), 3),
    },
    'takes off the disk with the next look for orphans what the disk refused to lose': {
      'it stays': allocated(() => ({ removeOrphans: () => Promise.resolve() })),
      'the first removal hides the failure': allocated((good) => ({
        remove: (uid) => good.remove(uid).catch(() => undefined),
      })),
    },
    'gives the old allocation back when the disk refuses the new one, and keeps a first one': {
      'it resolves with an old allocation': swallowsFailures('uid-a'),
      'it resolves with a first one': swallowsFailures('uid-b'),
      'it keeps the new one': allocated((good) => ({
        of: (podUid) => (podUid === 'uid-a' ? { containers: { main: { requests: { cpu: '2' } } } } : good.of(podUid)),
      })),
      'it drops a first one': allocated((good) => ({
        of: (podUid) => (podUid === 'uid-b' ? undefined : good.of(podUid)),
      })),
      'a first one never gets to the disk': nothingKept,
    },
    'has written everything when it has stopped': {
      'it drops what waits to be written': allocated(() => ({ store: () => new Promise(() => undefined) })),
    },
    'keeps containers and the pod level apart, and outlives the process': {
      'a pod has one container': actuated((good) => ({
        setContainer: (podUid, _name, resources) => good.setContainer(podUid, 'a', resources),
      })),
      'there is no pod level': actuated(() => ({ setPod: () => Promise.resolve() })),
      'the first resources of a container stay': actuated((good) => ({
        setContainer: async (podUid, name, resources) => {
          if (good.of(podUid)?.containers[name] === undefined) await good.setContainer(podUid, name, resources);
        },
      })),
      'another process knows nothing': actuated(() => ({ of: () => undefined }), 2),
      'a pod cannot be removed': actuated(() => ({ remove: () => Promise.resolve() }), 2),
    },
    'shares nothing with the allocations': {
      'what is allocated is actuated': actuated(() => ({ of: () => ({ containers: {} }) })),
    },
  },
);
