import { mkdir, readFile, readlink, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ContainerRuntime, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { describeContainerRuntimeContract } from '@podwright/container-runtime-interface/contract';
import { NamespaceMode } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock, createSystemRandom } from '@podwright/time';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- the way down to a real runtime is what is tested here
import { createCriClient, type CriClient } from '@podwright/cri-client';
import { labSupport, startLab, type Lab } from '@podwright/lab';
import { createContainerRuntime } from './container-runtime.module.js';
import { createFakePodCheckpoints } from './fixtures/fake-pod-checkpoints.js';
import { createFakeResizer, noResources } from './fixtures/fake-resources.js';
import { container, podWith } from './fixtures/records.js';

const clock = createSystemClock({ keepAlive: true });
const random = createSystemRandom();
const support = labSupport();

(support.ok ? describe : describe.skip)(
  support.ok ? 'pods on containerd' : `pods on containerd (skipped: ${support.reason})`,
  () => {
    let lab: Lab;
    let cri: CriClient;
    let runtime: ContainerRuntime;
    const events: string[] = [];

    beforeAll(async () => {
      lab = await startLab({ name: 'runtime-spec' });
      const logger = createMemoryLogger();
      const metrics = createMetricsRegistry();
      cri = createCriClient({ clock, logger, metrics }, { runtimeEndpoint: lab.endpoint, requestTimeoutMs: 60_000 });
      await cri.start();
      const directory = (name: string): string => join(lab.dir, name);
      await mkdir(directory('links'), { recursive: true });
      runtime = createContainerRuntime(
        {
          runtime: cri,
          imageService: cri,
          images: {
            ensureImageExists: async ({ image }) => ({
              imageRef: (await cri.imageStatus({ image: { image } })).image?.id ?? '',
            }),
          },
          environment: {
            forPod: async ({ metadata }) => ({
              hostname: metadata.name ?? '',
              hostDomain: '',
              sandboxHostname: metadata.name ?? '',
              dnsConfig: {},
            }),
            forContainer: async (_, __, podIps) => ({
              envs: [{ name: 'POD_IP', value: podIps[0] ?? '' }],
              mounts: [],
              devices: [],
              annotations: {},
            }),
          },
          recorder: {
            event: (object, type, reason, message) =>
              void events.push(`${type} ${reason} ${('fieldPath' in object && object.fieldPath) || ''} ${message}`),
          },
          probes: { get: () => undefined },
          hooks: { run: async () => undefined },
          checkpoints: createFakePodCheckpoints(),
          cgroups: { podCgroupParent: (pod) => `${lab.cgroupRoot}/pod${podUid(pod)}` },
          resources: noResources,
          resizer: createFakeResizer(),
          actuated: { setContainer: async () => undefined },
          volumes: { extraSupplementalGroups: () => [] },
          runtimeClasses: { handlerOf: () => '' },
          userNamespaces: { getOrCreate: async () => ({ mode: NamespaceMode.NODE }) },
          clock,
          random,
          logger,
          metrics,
        },
        {
          rootDir: directory('root'),
          podLogsDir: directory('logs'),
          containerLogsDir: directory('links'),
        },
      );
    }, 180_000);

    afterAll(async () => {
      await cri?.stop();
      await lab?.stop();
    }, 120_000);

    const identity = (pod: Pod): { uid: string; name: string; namespace: string } => ({
      uid: podUid(pod),
      name: pod.metadata.name ?? '',
      namespace: pod.metadata.namespace ?? '',
    });
    const inspect = (pod: Pod): Promise<RuntimePodStatus> => runtime.getPodStatus(identity(pod));
    const sync = async (pod: Pod): Promise<void> => {
      const request = {
        pod,
        status: await inspect(pod),
        apiStatus: {},
        pullSecrets: [],
        isTerminationRequested: () => false,
      };
      const { results, error } = await runtime.syncPod(request);
      expect(error).toBeUndefined();
      expect(results.filter((result) => result.error !== undefined)).toEqual([]);
    };
    const until = async (condition: () => Promise<boolean>): Promise<void> => {
      for (let attempt = 0; attempt < 1_000; attempt++) {
        if (await condition()) return;
        await clock.sleep(50);
      }
      throw new Error('waited for 50 s in vain');
    };

    describeContainerRuntimeContract('the default container runtime', async () => {
      const commands = {
        'runs-until-stopped': ['sleep', '3600'],
        'stops-slowly': ['sh', '-c', "trap 'sleep 1; exit 0' TERM; sleep 3600 & wait"],
        'exits-0': ['sh', '-c', 'exit 0'],
        'exits-7': ['sh', '-c', 'exit 7'],
      };
      return {
        runtime,
        program: (program) => ({ image: lab.images.busybox, command: commands[program] }),
        pass: (ms) => clock.sleep(ms),
        close: async () => undefined,
      };
    });

    it('runs an init container, then the others, kills the pod and removes what is left', async () => {
      events.length = 0;
      const image = lab.images.busybox;
      const pod = podWith(
        {
          terminationGracePeriodSeconds: 3,
          initContainers: [
            container('prepare', {
              image,
              command: ['sh', '-c', 'echo ready; echo done > /dev/termination-log'],
              terminationMessagePath: '/dev/termination-log',
            }),
          ],
          containers: [
            container('app', { image, command: ['sh', '-c', 'echo "my IP is $(POD_IP)"; exec sleep 3600'] }),
          ],
        },
        { name: 'whole', namespace: 'default', uid: random.hex(8) },
      );
      await sync(pod);
      await until(async () => (await inspect(pod)).containers[0]?.state === 'exited');
      const [prepared] = (await inspect(pod)).containers;
      expect(prepared).toMatchObject({
        name: 'prepare',
        exitCode: 0,
        reason: 'Completed',
        message: 'done\n',
        restartCount: 0,
      });
      await sync(pod);
      const status = await inspect(pod);
      expect(status.ips).toHaveLength(1);
      expect(status.containers.map(({ name, state }) => `${name} ${state}`)).toEqual(['app running', 'prepare exited']);
      expect(events).toEqual([
        'Normal Created spec.initContainers{prepare} Container created',
        'Normal Started spec.initContainers{prepare} Container started',
        'Normal Created spec.containers{app} Container created',
        'Normal Started spec.containers{app} Container started',
      ]);
      const links = await readdir(join(lab.dir, 'links'));
      const link = links.find((name) => name.startsWith('whole_default_app-')) ?? '';
      const log = await readlink(join(lab.dir, 'links', link));
      await until(async () => (await readFile(log, 'utf8')).includes(`stdout F my IP is ${status.ips[0] ?? '?'}`));

      const runningPod = (await runtime.getPods({ all: false, podUid: podUid(pod) }))[0];
      expect(runningPod).toMatchObject({ uid: podUid(pod), name: 'whole', namespace: 'default' });
      if (runningPod === undefined) return;
      const killed = await runtime.killPod({ pod, runningPod, gracePeriodSeconds: 2 });
      expect(killed.results.map(({ action, error }) => `${action} ${error?.message ?? 'ok'}`)).toEqual([
        'KillContainer ok',
        'KillPodSandbox ok',
      ]);
      const after = await inspect(pod);
      expect(after.ips).toEqual([]);
      expect(after.containers.map(({ state, exitCode }) => `${state} ${exitCode}`)).toEqual(['exited 137', 'exited 0']);
      for (const { id } of after.containers) await runtime.removeContainer(id);
      expect((await inspect(pod)).containers).toEqual([]);
      expect((await readdir(join(lab.dir, 'links'))).filter((name) => name.startsWith('whole_'))).toEqual([]);
    });
  },
);
