import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  ContainerRuntime,
  KillPodRequest,
  RuntimeContainerStatus,
  RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import { ContainerState, PodSandboxState } from '@podwright/cri-client-interface';
import type { Container, PodSandbox, RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import { VirtualClock } from '@podwright/time';
import { RecordingTracer } from '@podwright/tracing-interface/contract';
import { createRuntimeContainerGc } from './container-gc.module.js';
import type { RuntimeContainerGc } from './runtime-container-gc.js';
import type { RuntimeContainerGcConfig } from './runtime-container-gc-config.js';

class Node {
  containers: Container[] = [];
  sandboxes: PodSandbox[] = [];
  readonly removedPods = new Set<string>();
  readonly endedPods = new Set<string>();
  /** Evicted ones among the removed. */
  readonly terminatingPods = new Set<string>();
  readonly killed: (Pod | undefined)[] = [];
  readonly statuses = new Map<string, RuntimePodStatus>();
  readonly calls: string[] = [];
  readonly failing = new Set<string>();
  sourcesReady = true;
  hang = false;

  add(podUid: string, id: string, state: ContainerState, createdAt = 1n): void {
    this.containers.push({
      id,
      podSandboxId: `s-${podUid}`,
      state,
      createdAt,
      metadata: { name: 'app', attempt: 0 },
      labels: { 'io.kubernetes.pod.uid': podUid },
      annotations: { 'io.kubernetes.pod.terminationGracePeriod': '7' },
    } as unknown as Container);
  }
  addSandbox(podUid: string, ready: boolean): void {
    const state = ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY;
    this.sandboxes.push({ id: `s-${podUid}`, state, createdAt: 1n, metadata: { uid: podUid } } as PodSandbox);
  }
  async call(text: string): Promise<void> {
    this.calls.push(text);
    if (this.hang) await new Promise(() => undefined);
    if (this.failing.has(text)) throw new Error('not now');
  }
  readonly service = {
    listContainers: async () => {
      await this.call('list');
      return { containers: this.containers };
    },
    listPodSandbox: async () => {
      if (this.failing.has('list sandboxes')) throw new Error('not now');
      return { items: this.sandboxes };
    },
    containerStatus: async ({ containerId }: { containerId: string }) => {
      const found = this.containers.find(({ id }) => id === containerId);
      if (found === undefined) throw new KubeletError('no such container', { code: 'not-found' });
      return { status: found };
    },
    stopContainer: ({ containerId, timeout }: { containerId: string; timeout: bigint }) =>
      this.call(`stop ${containerId} ${timeout}`),
    stopPodSandbox: ({ podSandboxId }: { podSandboxId: string }) => this.call(`stop ${podSandboxId}`),
    removePodSandbox: ({ podSandboxId }: { podSandboxId: string }) => this.call(`remove ${podSandboxId}`),
  } as unknown as RuntimeService;
}

describe('RuntimeContainerGc', () => {
  let dir = '';
  let node: Node;
  let clock: VirtualClock;
  let events: string[] = [];
  let logger: MemoryLogger;
  let tracer: RecordingTracer;
  let journal: RecordingJournal;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'gc-'));
    await mkdir(join(dir, 'pods'));
    await mkdir(join(dir, 'links'));
    [node, clock, events] = [new Node(), new VirtualClock(), []];
    [logger, tracer, journal] = [createMemoryLogger(), new RecordingTracer(), new RecordingJournal()];
  });
  afterEach(() => rm(dir, { recursive: true }));

  const said = (message: string): readonly number[] =>
    logger.entries.filter((entry) => entry.message === message).map(({ level }) => level);
  function gc(options: Partial<RuntimeContainerGcConfig> = {}): RuntimeContainerGc {
    const runtime = {
      removeContainer: (id: string) => node.call(`remove ${id}`),
      killPod: async ({ pod, runningPod, message }: KillPodRequest) => {
        const [container] = runningPod.containers;
        await node.call(`kill ${container?.id} ${container?.state} of ${pod?.metadata.name}: ${message}`);
        node.killed.push(pod);
        return { results: node.failing.has('kill') ? [{ error: { message: 'stuck' } }] : [] };
      },
    };
    return createRuntimeContainerGc(
      {
        service: node.service,
        runtime: runtime as unknown as ContainerRuntime,
        lifecycle: {
          shouldContentBeRemoved: (uid: string) => node.removedPods.has(uid),
          shouldRuntimeBeRemoved: (uid: string) =>
            (node.removedPods.has(uid) && !node.terminatingPods.has(uid)) || node.endedPods.has(uid),
        } as PodLifecycle,
        podConfig: { allSourcesReady: () => node.sourcesReady } as PodConfig,
        cache: { get: (uid: string) => node.statuses.get(uid) ?? status(uid) } as PodCache,
        events: {
          event: ({ kind }, type, reason, message) => void events.push(`${kind} ${type} ${reason} ${message}`),
        },
        clock,
        logger,
        tracer,
        journal,
      },
      { podLogsDir: join(dir, 'pods'), containerLogsDir: join(dir, 'links'), parallelRemovals: 1, ...options },
    );
  }

  const status = (uid: string, ...containers: [id: string, name: string, state: string][]): RuntimePodStatus => ({
    uid,
    name: uid,
    namespace: 'default',
    ips: [],
    sandboxes: [],
    containers: containers.map(([id, name, state]) => ({ id, name, state }) as RuntimeContainerStatus),
  });

  it('is a span', async () => {
    await gc().garbageCollect();
    expect(tracer.spans.map(({ name }) => name)).toEqual(['Containers/GarbageCollect']);
  });

  async function leaveLogs(podUid: string, containerId: string): Promise<void> {
    const log = join(dir, 'pods', `default_web_${podUid}`, 'app');
    await mkdir(log, { recursive: true });
    await writeFile(join(log, '0.log'), 'x');
    await symlink(join(log, '0.log'), join(dir, 'links', `web_default_app-${containerId}.log`));
  }

  it('takes everything of a removed pod in one pass, and nothing of the others', async () => {
    for (const uid of ['gone', 'here']) {
      node.add(uid, `container-${uid}`, ContainerState.CONTAINER_EXITED);
      node.addSandbox(uid, false);
      await leaveLogs(uid, `container${uid}`);
    }
    node.removedPods.add('gone');
    await gc().garbageCollect();
    expect(node.calls).toEqual(['list', 'remove container-gone', 'stop s-gone', 'remove s-gone']);
    expect(await readdir(join(dir, 'pods'))).toEqual(['default_web_here']);
    expect(await readdir(join(dir, 'links'))).toEqual(['web_default_app-containerhere.log']);
  });

  it('takes nothing of an evicted pod before it has terminated', async () => {
    node.add('p', 'c1', ContainerState.CONTAINER_EXITED);
    node.addSandbox('p', false);
    await leaveLogs('p', 'c1c1c1');
    node.removedPods.add('p');
    node.terminatingPods.add('p');
    await gc().garbageCollect();
    expect(node.calls).toEqual(['list']);
    expect(await readdir(join(dir, 'pods'))).toHaveLength(1);
  });

  it('removes no pod before all sources are ready, but its unused sandboxes', async () => {
    node.sourcesReady = false;
    node.removedPods.add('a').add('b');
    node.add('a', 'c1', ContainerState.CONTAINER_EXITED);
    node.addSandbox('a', false);
    node.addSandbox('b', false);
    await leaveLogs('a', 'c1c1c1');
    await gc().garbageCollect();
    expect(node.calls).toEqual(['list', 'stop s-b', 'remove s-b']);
    expect(await readdir(join(dir, 'pods'))).toHaveLength(1);
  });

  it('costs two lists when nothing is dead', async () => {
    node.add('p', 'c1', ContainerState.CONTAINER_RUNNING);
    node.addSandbox('p', true);
    await leaveLogs('p', 'c1c1c1');
    await gc().garbageCollect();
    expect(node.calls).toEqual(['list']);
  });

  describe('what is in an unknown state', () => {
    const text = 'Container is in unknown state, try killing it before removal';
    const add = (annotations: Record<string, string>): void => {
      node.removedPods.add('p');
      node.add('p', 'c1', ContainerState.CONTAINER_UNKNOWN);
      const labels = {
        'io.kubernetes.pod.uid': 'p',
        'io.kubernetes.pod.name': 'web',
        'io.kubernetes.pod.namespace': 'default',
        'io.kubernetes.container.name': 'app',
      };
      node.containers[0] = { ...(node.containers[0] as Container), labels, annotations };
    };

    it('is killed before it is removed, as its labels and annotations say', async () => {
      add({
        'io.kubernetes.pod.terminationGracePeriod': '7',
        'io.kubernetes.pod.deletionGracePeriod': '3',
        'io.kubernetes.container.preStopHandler': '{"httpGet":{"port":"http"}}',
        'io.kubernetes.container.ports': '[{"name":"http","containerPort":80}]',
      });
      await gc().garbageCollect();
      expect(node.calls).toEqual(['list', `kill c1 running of web: ${text}`, 'remove c1']);
      expect(node.killed).toEqual([
        {
          metadata: { uid: 'p', name: 'web', namespace: 'default', deletionGracePeriodSeconds: 3 },
          spec: {
            terminationGracePeriodSeconds: 7,
            containers: [
              {
                name: 'app',
                lifecycle: { preStop: { httpGet: { port: 'http' } } },
                ports: [{ name: 'http', containerPort: 80 }],
              },
            ],
          },
        },
      ]);
    });

    it('is killed with what it says where some of that cannot be read', async () => {
      add({ 'io.kubernetes.pod.terminationGracePeriod': 'x', 'io.kubernetes.container.preStopHandler': '[' });
      await gc().garbageCollect();
      expect(node.killed[0]?.spec).toEqual({ containers: [{ name: 'app' }] });
    });

    it('stays when it cannot be killed', async () => {
      add({});
      node.failing.add('kill');
      await expect(gc().garbageCollect()).rejects.toThrow('failed to remove container c1: stuck');
      expect(node.calls).not.toContain('remove c1');
    });
  });

  it('takes pods that have ended only for a node that is short of disk, and never their logs', async () => {
    node.endedPods.add('p');
    node.add('p', 'c1', ContainerState.CONTAINER_EXITED);
    node.addSandbox('p', false);
    await leaveLogs('p', 'c1c1c1');
    await gc().garbageCollect();
    expect(node.calls).toEqual(['list']);
    node.sourcesReady = false;
    await gc().garbageCollect({ includeEnded: true });
    expect(node.calls).toEqual(['list', 'list']);
    node.sourcesReady = true;
    await gc().garbageCollect({ includeEnded: true });
    expect(node.calls.slice(2)).toEqual(['list', 'remove c1', 'stop s-p', 'remove s-p']);
    expect(journal.decisions).toMatchObject([
      { kind: 'container.removed', containerId: 'c1', pod: { uid: 'p' }, cause: 'eviction' },
    ]);
    expect(await readdir(join(dir, 'pods'))).toHaveLength(1);
  });

  it('goes on after a failure, and rejects with all of them', async () => {
    node.removedPods.add('p').add('q');
    for (const uid of ['p', 'q']) {
      node.add(uid, `c-${uid}`, ContainerState.CONTAINER_EXITED);
      node.addSandbox(uid, false);
    }
    node.failing.add('remove c-p').add('stop s-q');
    await expect(gc().garbageCollect()).rejects.toThrow(
      '[failed to remove container c-p: not now, failed to remove sandbox s-q: not now]',
    );
    // The sandbox of a container that is still there is in use.
    expect(node.calls).toEqual(['list', 'remove c-p', 'remove c-q', 'stop s-q']);
  });

  it('leaves links of live containers and of logs that exist, and folders that are no pod logs', async () => {
    node.add('p', 'alive-alivealive', ContainerState.CONTAINER_RUNNING);
    await mkdir(join(dir, 'pods', 'somebody-elses'));
    node.removedPods.add('somebody-elses');
    await symlink('nowhere', join(dir, 'links', 'web_default_app-unknown123.log'));
    await symlink('nowhere', join(dir, 'links', 'web_default_app-x.log'));
    await symlink('nowhere', join(dir, 'links', 'other.txt'));
    node.containers[0] = { ...(node.containers[0] as Container), id: 'alivealive' };
    await symlink('nowhere', join(dir, 'links', 'web_default_app-alivealive.log'));
    await gc().garbageCollect();
    expect((await readdir(join(dir, 'links'))).sort()).toEqual(['other.txt', 'web_default_app-alivealive.log']);
    expect(await readdir(join(dir, 'pods'))).toEqual(['somebody-elses']);
  });

  it('does not mind folders that do not exist', async () => {
    await gc({ podLogsDir: join(dir, 'no'), containerLogsDir: join(dir, 'no') }).garbageCollect();
  });

  it.each([
    { fails: ['list'], calls: ['list'] },
    { fails: ['list sandboxes'], calls: ['list', 'remove container-gone'] },
    { fails: ['list', 'list sandboxes'], calls: ['list'] },
  ])('does what it can, and says it once, when $fails fails', async ({ fails, calls }) => {
    node.add('gone', 'container-gone', ContainerState.CONTAINER_EXITED);
    node.addSandbox('gone', false);
    node.removedPods.add('gone');
    await leaveLogs('gone', 'unknown123');
    fails.forEach((call) => node.failing.add(call));
    await expect(gc().garbageCollect()).rejects.toThrow(/^rpc error: code = Unknown desc = not now$/);
    expect(node.calls).toEqual(calls);
    expect(await readdir(join(dir, 'pods'))).toEqual([]);
    expect(await readdir(join(dir, 'links'))).toEqual([]);
  });

  it('runs at once and each period, and tells when it cannot look', async () => {
    const collector = gc();
    await collector.start();
    await clock.advance(0);
    node.failing.add('list');
    await clock.advance(60_000);
    expect(node.calls).toEqual(['list', 'list']);
    expect(events).toEqual(['Node Warning ContainerGCFailed rpc error: code = Unknown desc = not now']);
    expect(said('Container garbage collection failed')).toEqual([0]);
    node.failing.clear();
    await clock.advance(60_000);
    expect(said('Container garbage collection succeeded')).toEqual([4, 1]); // the one after a failure is worth more
    await collector.stop();
    await collector.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('stops while calls hang', async () => {
    node.hang = true;
    node.statuses.set('p', status('p', ['c1', 'app', 'exited'], ['c2', 'app', 'exited']));
    const collector = gc();
    await collector.start();
    collector.deleteDeadContainers('p', { all: true });
    await clock.advance(1000);
    await collector.stop();
    expect(clock.pendingTimers).toBe(0);
    expect(node.calls).toEqual(['list', 'remove c2']);
  });

  describe('deleteDeadContainers', () => {
    beforeEach(() => {
      node.statuses.set(
        'p',
        status(
          'p',
          ['a3', 'a', 'exited'],
          ['b2', 'b', 'exited'],
          ['a2', 'a', 'exited'],
          ['a1', 'a', 'exited'],
          ['b1', 'b', 'exited'],
          ['c1', 'c', 'running'],
        ),
      );
    });
    async function removed(options: { exitedContainerId?: string; all?: boolean }, config = {}): Promise<string[]> {
      const collector = gc(config);
      await collector.start();
      collector.deleteDeadContainers('p', options);
      await clock.advance(10);
      await collector.stop();
      return node.calls.filter((call) => call !== 'list');
    }

    it('keeps the newest of the container that died', async () => {
      expect(await removed({ exitedContainerId: 'a3' })).toEqual(['remove a1', 'remove a2']);
      const removal = { kind: 'container.removed', pod: { uid: 'p' }, container: 'a', cause: 'superseded' };
      expect(journal.decisions).toMatchObject([removal, removal]);
    });
    it('keeps one even when the periodic limit is none', async () => {
      expect(await removed({ exitedContainerId: 'b2' }, { maxPerPodContainer: 0 })).toEqual(['remove b1']);
    });
    it('does nothing for a sandbox or an unknown container', async () => {
      expect(await removed({ exitedContainerId: 's-p' })).toEqual([]);
    });
    it('takes all exited ones when told to, or when the content of the pod may go', async () => {
      const all = ['remove b1', 'remove a1', 'remove a2', 'remove b2', 'remove a3'];
      expect(await removed({ all: true })).toEqual(all);
      node.calls.length = 0;
      node.removedPods.add('p');
      expect(await removed({ exitedContainerId: 's-p' })).toEqual(all);
    });
    it('leaves what tells how an evicted pod ended until it has terminated', async () => {
      node.removedPods.add('p');
      node.terminatingPods.add('p');
      expect(await removed({ exitedContainerId: 'a3' })).toEqual(['remove a1', 'remove a2']);
    });
    it('drops what does not fit into its queue', async () => {
      // One is being removed, two wait.
      expect((await removed({ all: true }, { deletionQueue: 2 })).length).toBeLessThanOrEqual(3);
    });
  });
});
