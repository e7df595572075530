import { describeContainerGcContract } from '@podwright/container-gc-interface/contract';
import type { ContainerRuntime, RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import { ContainerState } from '@podwright/cri-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import { createSimulatedRuntime } from '@podwright/simulated-runtime';
import { VirtualClock } from '@podwright/time';
import { createRuntimeContainerGc } from './runtime-container-gc.js';

describeContainerGcContract('RuntimeContainerGc', async () => {
  const clock = new VirtualClock();
  const cri = createSimulatedRuntime({ clock });
  cri.store.load('app:1');
  const removedPods = new Set<string>();
  let attempt = 0;

  const sandboxOf = async (uid: string): Promise<string> => {
    const existing = cri.control.sandboxes.find(({ podUid }) => podUid === uid);
    if (existing !== undefined) return existing.id;
    const metadata = { name: uid, namespace: 'contract', uid };
    return (await cri.runPodSandbox({ config: { metadata } })).podSandboxId;
  };
  const isRunning = ({ state }: { state: ContainerState }): boolean => state === ContainerState.CONTAINER_RUNNING;
  const status = (uid: string): ReturnType<PodCache['get']> => ({
    uid,
    name: uid,
    namespace: 'contract',
    ips: [],
    sandboxes: [],
    containers: cri.control
      .containers(uid)
      .toReversed()
      .map((container): Partial<RuntimeContainerStatus> => ({
        id: container.id,
        name: container.name,
        state: isRunning(container) ? 'running' : 'exited',
      })) as RuntimeContainerStatus[],
  });

  return {
    gc: createRuntimeContainerGc(
      {
        service: cri,
        runtime: {
          removeContainer: async (containerId: string) => void (await cri.removeContainer({ containerId })),
        } as Partial<ContainerRuntime> as ContainerRuntime,
        lifecycle: {
          shouldContentBeRemoved: (uid: string) => removedPods.has(uid),
          shouldRuntimeBeRemoved: (uid: string) => removedPods.has(uid),
        } as PodLifecycle,
        podConfig: { allSourcesReady: () => true } as PodConfig,
        cache: { get: status } as Partial<PodCache> as PodCache,
        events: { event: () => undefined },
        clock,
        logger: createMemoryLogger(),
      },
      { podLogsDir: '/nonexistent/pods', containerLogsDir: '/nonexistent/containers' },
    ),
    add: async (podUid, name, state) => {
      const podSandboxId = await sandboxOf(podUid);
      const metadata = { name, attempt: attempt++ };
      const config = { metadata, image: { image: 'app:1' }, labels: { 'io.kubernetes.pod.uid': podUid } };
      const { containerId } = await cri.createContainer({ podSandboxId, config });
      await cri.startContainer({ containerId });
      if (state === 'exited') cri.control.exitContainer(containerId, 0);
      await clock.advance(1);
      return containerId;
    },
    containers: () => cri.control.containers().map(({ id }) => id),
    sandboxes: () => cri.control.sandboxes.map(({ podUid }) => podUid),
    removePod: async (podUid) => {
      removedPods.add(podUid);
      if (!cri.control.containers(podUid).some(isRunning)) cri.control.killSandbox(await sandboxOf(podUid));
    },
    obstruct: (subject, how) => {
      const target = { rpc: 'removeContainer', subject } as const;
      if (how === 'hangs') cri.faults.hang(target);
      else cri.faults.fail(target, { code: 'unknown', times: Infinity });
    },
    pass: (ms) => clock.advance(ms),
    pendingTimers: () => clock.pendingTimers,
  };
});
