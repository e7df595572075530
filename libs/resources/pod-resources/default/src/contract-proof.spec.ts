import { afterEach } from '@jest/globals';
import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { ContainerAssignments, PodResourcesServer } from '@podwright/pod-resources-interface';
import { describePodResourcesContract, PodResourcesClient } from '@podwright/pod-resources-interface/contract';
import { cleanHarnesses, createServerHarness, type ServerHarness } from './fixtures/server-harness.js';
import { createGrpcPodResourcesServer } from './grpc-pod-resources-server.module.js';

afterEach(cleanHarnesses);

type Broken = (good: ServerHarness) => Partial<ServerHarness>;
type Pods = Parameters<ServerHarness['setPods']>[0];

const broken = (replaced: (good: PodResourcesServer) => Partial<PodResourcesServer>): Broken =>
  breaksIn('server', replaced);
// What it serves comes from what it is given, which is easier to break than its answers.
const knowing =
  (change: (pods: Pods) => Pods): Broken =>
  ({ setPods }) => ({ setPods: (pods) => setPods(change(pods)) });
const specs = (change: (spec: Pod['spec']) => Pod['spec']): Broken => {
  const changed = (pods: readonly Pod[]): readonly Pod[] => pods.map((pod) => ({ ...pod, spec: change(pod.spec) }));
  return knowing(({ known, active }) => ({ known: changed(known), active: changed(active) }));
};
const assigning =
  (change: (given: Partial<ContainerAssignments>) => Partial<ContainerAssignments>): Broken =>
  ({ assign }) => ({
    assign: (podUid, container, given) => assign(podUid, container, change(given)),
  });
const other: Pod = {
  metadata: { name: 'done', namespace: 'other', uid: 'o' },
  spec: { containers: [{ name: 'app' }] },
};

describeContractProof(
  'PodResourcesServer',
  (create) => describePodResourcesContract('a broken PodResourcesServer', create),
  (): Promise<ServerHarness> => createServerHarness(),
  {
    'can be stopped before it was started, and twice': {
      'it is healthy all the time': broken(() => ({ healthy: () => ({ ok: true }) })),
      'it is never healthy': broken(() => ({ healthy: () => ({ ok: false, reason: 'not started' }) })),
      'it is healthy after the stop': broken((good) => {
        let started = false;
        return {
          start: () => {
            started = true;
            return good.start();
          },
          healthy: () => (started ? { ok: true } : good.healthy()),
        };
      }),
      'a second stop is refused': refusesSecondStop('server'),
    },
    'takes the socket over that a former one left': {
      'it does not start': breaksIn('successor', () => ({ start: () => Promise.reject(new Error('EADDRINUSE')) })),
      'it knows a pod': ({ setPods }) => {
        setPods({ known: [other], active: [other] });
        return {};
      },
    },
    'lists active pods with their sidecars and containers': {
      'it lists those that have ended': knowing(({ known }) => ({ known, active: known })),
      'it leaves sidecars out': specs(({ containers }) => ({ containers })),
      'it lists all init containers': specs(({ containers, initContainers = [] }) => ({
        containers,
        initContainers: initContainers.map((each) => ({ ...each, restartPolicy: 'Always' })),
      })),
      'the nodes of devices are unknown': assigning(({ devices = [], ...given }) => ({
        ...given,
        devices: devices.map(({ resourceName, deviceIds }) => ({ resourceName, deviceIds })),
      })),
      'the CPUs are missing': assigning((given) => ({ ...given, cpuIds: [] })),
      'the memory is missing': assigning((given) => ({ ...given, memory: [] })),
      'the claims are missing': assigning((given) => ({ ...given, claims: [] })),
    },
    'gets one active pod, and says which one it does not find': {
      'it finds those that have ended': knowing(({ known }) => ({ known, active: known })),
      'it leaves containers out': specs((spec) => ({ ...spec, containers: [] })),
      'the namespace does not count': knowing(({ known, active }) => ({
        known: [...known, other],
        active: [...active, other],
      })),
    },
    'tells what can be given out': {
      'something can before anybody said so': ({ setAllocatable }) => {
        setAllocatable({ cpuIds: [7] });
        return {};
      },
      'nothing can': () => ({ setAllocatable: () => undefined }),
    },
    'still speaks v1alpha1: all pods, containers without sidecars, devices only': {
      'it lists active pods only': knowing(({ active }) => ({ known: active, active })),
      'it lists sidecars': specs(({ containers, initContainers = [] }) => ({
        containers: [...initContainers, ...containers],
      })),
      'the devices are missing': assigning((given) => ({ ...given, devices: [] })),
    },
    'refuses what comes too fast': {
      'it refuses nothing': ({ deps, server, clock }) => {
        let reads = 0;
        // Each look at the clock is a second later.
        const fast = breaks(clock, { monotonic: () => 1_000 * ++reads, now: () => 1_000 * ++reads });
        return { server: createGrpcPodResourcesServer({ ...deps, clock: fast }, { socket: server.socket }) };
      },
      'it refuses everything': broken((good) => ({
        start: async () => {
          await good.start();
          const client = new PodResourcesClient(good.socket);
          await Promise.allSettled(Array.from({ length: 200 }, () => client.allocatable()));
          client.close();
        },
      })),
    },
  },
);
