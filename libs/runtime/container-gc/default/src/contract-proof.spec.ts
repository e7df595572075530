import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { ContainerGc } from '@podwright/container-gc-interface';
import { describeContainerGcContract } from '@podwright/container-gc-interface/contract';
import type { ContainerGcHarness } from '@podwright/container-gc-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ContainerGcHarness) => Partial<ContainerGcHarness>;

const broken = (replaced: (good: ContainerGc, harness: ContainerGcHarness) => Partial<ContainerGc>): Broken =>
  breaksIn('gc', replaced);
const removesNothing = broken(() => ({ garbageCollect: () => Promise.resolve() }));
const deletesNothing = broken(() => ({ deleteDeadContainers: () => undefined }));
const stopDoesNothing = broken(() => ({ stop: () => Promise.resolve() }));
const rejectingWith = (change: (error: string) => string): Broken =>
  broken((good) => ({
    garbageCollect: () =>
      good.garbageCollect().catch((error: unknown) => Promise.reject(new Error(change(String(error))))),
  }));

describeContractProof(
  'ContainerGc',
  (create) => describeContainerGcContract('a broken ContainerGc', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('gc'),
      'a timer is left': () => ({ pendingTimers: () => 1 }),
    },
    'a pass takes the dead containers and the sandbox of a removed pod, and nothing of the others': {
      'it takes nothing': removesNothing,
      'it takes what others want': broken((good, { removePod }) => ({
        garbageCollect: () => removePod('here').then(() => good.garbageCollect()),
      })),
      'the sandbox stays': ({ sandboxes }) => ({ sandboxes: () => ['gone', ...sandboxes()] }),
    },
    'a pass touches nothing that runs, not even of a removed pod': {
      'it takes a running container': ({ containers }) => ({ containers: () => containers().slice(1) }),
      'it takes the sandbox': ({ sandboxes }) => ({ sandboxes: () => sandboxes().slice(1) }),
    },
    'a pass keeps the last dead record of each container of a pod that is wanted': {
      'it keeps all': removesNothing,
      'it keeps none': broken((good, { removePod }) => ({
        garbageCollect: () => removePod('p').then(() => good.garbageCollect()),
      })),
    },
    'a pass rejects with all failures, having removed the rest': {
      'it only logs them': broken((good) => ({ garbageCollect: () => good.garbageCollect().catch(() => undefined) })),
      'it rejects with the first': rejectingWith((error) => error.slice(0, error.length / 2)),
      'it gives up at the first': broken((_good, { containers }) => ({
        garbageCollect: () => Promise.reject(new Error(containers().join(', '))),
      })),
    },
    'a pass comes every minute once started, whatever became of the last one, and not after stop': {
      'it does not come by itself': broken(() => ({ start: () => Promise.resolve() })),
      'it comes until one fails': (good) => ({
        pass: async (ms) => {
          await good.pass(ms);
          if (ms > 0) await good.gc.stop();
        },
      }),
      'stop does nothing': stopDoesNothing,
      'one comes after the stop': (good) => {
        let stopped = false;
        const stop = (): Promise<void> => {
          stopped = true;
          return good.gc.stop();
        };
        return {
          gc: breaks(good.gc, { stop }),
          containers: () => good.containers().slice(0, stopped ? 1 : undefined),
        };
      },
    },
    'deleteDeadContainers keeps the newest record of the container that died, and all of the others': {
      'it takes none': deletesNothing,
      'it takes all': broken((good) => ({
        deleteDeadContainers: (uid) => good.deleteDeadContainers(uid, { all: true }),
      })),
      'it takes those of other containers too': broken((good, { containers }) => ({
        deleteDeadContainers: (uid) => {
          for (const exitedContainerId of containers()) good.deleteDeadContainers(uid, { exitedContainerId });
        },
      })),
      'a timer is left': () => ({ pendingTimers: () => 1 }),
    },
    'deleteDeadContainers takes all that is dead when told to': {
      'it keeps the newest': broken((good, { containers }) => ({
        deleteDeadContainers: (uid) => {
          for (const exitedContainerId of containers()) good.deleteDeadContainers(uid, { exitedContainerId });
        },
      })),
      'it takes what runs': ({ containers }) => ({ containers: () => containers().slice(1) }),
    },
    'deleteDeadContainers takes all that is dead when the content of the pod may go': {
      'it does not ask whether it may go': () => ({ removePod: () => Promise.resolve() }),
    },
    'deleteDeadContainers takes any pod, any number of calls, and calls before the start and after the stop': {
      'it gives its caller something back': broken(() => ({
        deleteDeadContainers: () => 'queued' as unknown as undefined,
      })),
      'an unknown pod is refused': broken((good) => ({
        deleteDeadContainers: (uid, options) => {
          if (uid === 'nobody') throw new Error('unknown pod');
          good.deleteDeadContainers(uid, options);
        },
      })),
      'a call after the stop is refused': broken((good) => {
        let stopped = false;
        return {
          stop: () => {
            stopped = true;
            return good.stop();
          },
          deleteDeadContainers: () => {
            if (stopped) throw new Error('stopped');
          },
        };
      }),
      'its queue takes a hundred calls': broken((good) => {
        let calls = 0;
        return {
          deleteDeadContainers: (uid, options) => {
            if (++calls > 100) throw new Error('too many calls');
            good.deleteDeadContainers(uid, options);
          },
        };
      }),
      'it takes the newest when the container that died is unknown': broken((good) => ({
        deleteDeadContainers: (uid) => good.deleteDeadContainers(uid, { all: true }),
      })),
    },
    'deleteDeadContainers does not block its caller, nor stop, when a removal hangs': {
      'stop waits for it': broken((good) => ({ stop: () => good.stop().then(() => new Promise(() => undefined)) })),
      'a container is gone before its removal has ended': ({ containers }) => ({
        containers: () => containers().slice(1),
      }),
    },
  },
);
