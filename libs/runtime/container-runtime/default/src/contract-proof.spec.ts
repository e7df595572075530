import { afterEach } from '@jest/globals';
import { breaksIn, describeContractProof } from '@podwright/contract';
import type {
  ContainerRuntime,
  PodSyncResult,
  RuntimeContainerStatus,
  RuntimePod,
  RuntimePodStatus,
  SyncPodRequest,
  SyncResult,
} from '@podwright/container-runtime-interface';
import { describeContainerRuntimeContract } from '@podwright/container-runtime-interface/contract';
import type { ContainerRuntimeHarness } from '@podwright/container-runtime-interface/contract';
import type { PodSpec } from '@podwright/kube-types';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ContainerRuntimeHarness) => Partial<ContainerRuntimeHarness>;

// A case that fails early may leave a pod that takes its time to end, on a clock that stands still.
const made: ContainerRuntimeHarness[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map((harness) => harness.close()));
});
async function create(): Promise<ContainerRuntimeHarness> {
  const harness = await createContractHarness();
  made.push(harness);
  return harness;
}

const broken = (replaced: (good: ContainerRuntime) => Partial<ContainerRuntime>): Broken =>
  breaksIn('runtime', replaced);
const showing = (change: (status: RuntimePodStatus, call: number) => Partial<RuntimePodStatus>): Broken =>
  broken((good) => {
    let calls = 0;
    return {
      getPodStatus: async (pod, known, signal) => {
        const status = await good.getPodStatus(pod, known, signal);
        return { ...status, ...change(status, ++calls) };
      },
    };
  });
const showingEach = (change: (container: RuntimeContainerStatus) => Partial<RuntimeContainerStatus>): Broken =>
  showing(({ containers }) => ({ containers: containers.map((each) => ({ ...each, ...change(each) })) }));
/** One that takes the pod of the request for another. */
const syncing = (change: (request: SyncPodRequest) => Partial<PodSpec>): Broken =>
  broken((good) => ({
    syncPod: (request) => {
      const { pod } = request;
      return good.syncPod({ ...request, pod: { ...pod, spec: { ...pod.spec, ...change(request) } } });
    },
  }));
const answering = (change: (result: PodSyncResult) => PodSyncResult): Broken =>
  broken((good) => ({ syncPod: async (request) => change(await good.syncPod(request)) }));
const answeringEach = (change: (result: SyncResult) => Partial<SyncResult>): Broken =>
  answering(({ results }) => ({ results: results.map((each) => ({ ...each, ...change(each) })) }));
const skippingSync = (skipped: number): Broken =>
  broken((good) => {
    let syncs = 0;
    return { syncPod: (request) => (++syncs === skipped ? Promise.resolve({ results: [] }) : good.syncPod(request)) };
  });
const killing = (change: (result: PodSyncResult, call: number) => readonly SyncResult[]): Broken =>
  broken((good) => {
    let calls = 0;
    return {
      killPod: async (request) => {
        const result = await good.killPod(request);
        return { ...result, results: change(result, ++calls) };
      },
    };
  });
const twice = <T>(list: readonly T[]): readonly T[] => [...list, ...list];
const hasRun = ({ status }: SyncPodRequest, name: string): boolean =>
  status.containers.some((container) => container.name === name);
const error = { reason: 'Broken', message: 'broken' };

describeContractProof(
  'ContainerRuntime',
  (make) => describeContainerRuntimeContract('a broken ContainerRuntime', make),
  create,
  {
    'gives an empty status for a pod that nobody knows': {
      'the status does not name the pod': showing(() => ({ name: '' })),
    },
    'starts a new pod, shows it, and leaves it alone in the next sync': {
      'the sync fails': answering((result) => ({ ...result, error: new Error('broken') })),
      'a part of the sync fails': answeringEach(() => ({ error })),
      'it starts nothing': skippingSync(1),
      'it counts a restart': showingEach(() => ({ restartCount: 1 })),
      'it makes two sandboxes': showing(({ sandboxes }) => ({ sandboxes: twice(sandboxes) })),
      'it shows no address': showing(() => ({ ips: [] })),
      'a list shows no container': broken((good) => ({
        getPods: async (options) => (await good.getPods(options)).map((pod) => ({ ...pod, containers: [] })),
      })),
      'it is missing in the list of all': broken((good) => ({
        getPods: async (options) => (options.podUid === undefined ? [] : good.getPods(options)),
      })),
      'the next sync starts another container': showing(({ containers }, call) => ({
        containers: containers.map((each) => ({ ...each, id: `${each.id}-${call}` })),
      })),
      'the next sync makes another sandbox': showing(({ sandboxes }, call) => ({
        sandboxes: sandboxes.map((each) => ({ ...each, id: `${each.id}-${call}` })),
      })),
    },
    'runs init containers to their end before the others': {
      'it passes over them': syncing(() => ({ initContainers: [] })),
      'it runs the first only': syncing((request) =>
        hasRun(request, 'one') ? { initContainers: request.pod.spec.initContainers?.slice(0, 1) ?? [] } : {},
      ),
      'it does not go on': skippingSync(3),
    },
    'starts a sidecar before what follows it, and stops it after the containers that it serves': {
      'it passes over it': syncing(() => ({ initContainers: [] })),
      'nothing follows it': skippingSync(2),
      'it waits for its end': skippingSync(3),
      'kill leaves all running': broken(() => ({ killPod: () => Promise.resolve({ results: [] }) })),
      'it ends first': showingEach(({ name }) => (name === 'side' ? { finishedAt: 0n } : {})),
    },
    'restarts a crashed container once, then waits with CrashLoopBackOff': {
      'it does not tell the exit code': showingEach(() => ({ exitCode: 0 })),
      'it does not restart it': skippingSync(2),
      'the reason is another': answeringEach(({ error: found }) =>
        found === undefined ? {} : { error: { ...found, reason: 'BackOff' } },
      ),
      'it does not tell until when': answering(({ results }) => ({
        results: results.map(({ backOffUntilMs: _, ...each }) => ({ ...each, backOffUntilMs: 0 })),
      })),
      'it restarts it once more': showing(({ containers }, call) => ({
        containers: call > 5 && containers.length === 2 ? twice(containers) : containers,
      })),
    },
    'takes down a pod that has done its work': {
      'the address stays': showing(() => ({ ips: ['10.0.0.1'] })),
      'it runs again': syncing(() => ({ restartPolicy: 'Always' })),
      'it runs once more in the next sync': broken((good) => {
        let syncs = 0;
        return {
          syncPod: (request) => {
            const restartPolicy = ++syncs > 2 ? 'Always' : 'Never';
            const { pod } = request;
            return good.syncPod({ ...request, pod: { ...pod, spec: { ...pod.spec, restartPolicy } } });
          },
        };
      }),
    },
    'kills a pod, as often as one likes, and forgets a container that is removed': {
      'a second kill fails': killing(({ results }, call) =>
        call > 1 ? results.map((result) => ({ ...result, error })) : results,
      ),
      'the sandbox is not the last': killing(({ results }) => results.toReversed().slice(1)),
      'the container runs on': broken((good) => ({
        killPod: async ({ runningPod }) => {
          await good.killPod({ runningPod: { ...runningPod, containers: [], sandboxes: [] } });
          return { results: [{ action: 'KillPodSandbox', target: runningPod.uid }] };
        },
      })),
      'the container is not removed': broken(() => ({ removeContainer: () => Promise.resolve() })),
      'what was known brings it back': broken((good) => ({
        getPodStatus: async (pod, known, signal) => ({
          ...(await good.getPodStatus(pod, undefined, signal)),
          ...(known !== undefined && { containers: known.containers as unknown as RuntimePodStatus['containers'] }),
        }),
      })),
      'a pod that does not run is in the list of those that do': broken((good) => ({
        getPods: (options) => good.getPods({ ...options, all: true }),
      })),
    },
    'lists what is there now, and never from a list that is older than asked': {
      'any list that it has will do': broken((good) => {
        let known: readonly RuntimePod[] | undefined;
        return { getPods: async (options) => (known ??= await good.getPods(options)) };
      }),
      'a pod that does not run is in the list of those that do': broken((good) => ({
        getPods: (options) => good.getPods({ ...options, all: true }),
      })),
      'any list will do for one pod': broken((good) => {
        let known: readonly RuntimePod[] = [];
        return {
          getPods: async (options) => {
            if (options.podUid !== undefined && options.maxAgeMs !== undefined) return known;
            const listed = await good.getPods(options);
            if (options.all && listed.length > 0) known = listed;
            return listed;
          },
        };
      }),
    },
    'starts many pods at once': {
      'it syncs one at a time': broken((good) => {
        let syncing = false;
        return {
          syncPod: async (request) => {
            if (syncing) return { results: [], error: new Error('busy') };
            syncing = true;
            return good.syncPod(request).finally(() => (syncing = false));
          },
        };
      }),
      'it starts none': broken(() => ({ syncPod: () => Promise.resolve({ results: [] }) })),
      'back-offs cannot be forgotten': broken(() => ({
        purgeBackOffs: () => {
          throw new Error('nothing to forget');
        },
      })),
    },
  },
);
