import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ContainerRuntime,
  PodSyncResult,
  RuntimeContainerStatus,
  RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import type { Node, Pod, PodCondition, PodSpec, PodStatus } from '@podwright/kube-types';
import { describePodSyncerContract } from '@podwright/pod-sync-interface/contract';
import { RecordingTracer } from '@podwright/tracing-interface/contract';
import { createContractHarness, createSyncHarness, type SyncHarness } from './fixtures/sync-harness.js';
import type { PodSyncNeeds } from './pod-sync-needs.js';

let rootDir = '';
beforeAll(async () => {
  rootDir = await mkdtemp(path.join(tmpdir(), 'pod-sync-'));
});
afterAll(() => rm(rootDir, { recursive: true }));

describePodSyncerContract('DefaultPodSyncer', async (runtime) => createContractHarness({ rootDir, runtime }));

const never = new AbortController().signal;
const readyToStart = ({ statuses }: SyncHarness): PodCondition | undefined =>
  statuses.get('uid-1')?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');

const podWith = (spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}, status?: PodStatus): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1', ...metadata },
  spec: { restartPolicy: 'Always', containers: [{ name: 'app', image: 'app:1' }], ...spec },
  ...(status && { status }),
});
const statusWith = (part: Partial<RuntimePodStatus> = {}): RuntimePodStatus => ({
  uid: 'uid-1',
  name: 'web',
  namespace: 'default',
  ips: [],
  containers: [],
  sandboxes: [],
  ...part,
});
const record = (state: RuntimeContainerStatus['state'], exitCode = 0): RuntimeContainerStatus =>
  ({
    id: 'c1',
    name: 'app',
    podSandboxId: 's',
    state,
    exitCode,
    createdAt: 1n,
    image: '',
    imageRef: '',
    restartCount: 0,
    startedAt: 0n,
    finishedAt: 0n,
    reason: '',
    message: '',
    cri: {},
  }) as unknown as RuntimeContainerStatus;

interface Script {
  readonly sync?: PodSyncResult;
  readonly kill?: PodSyncResult;
  readonly stopped?: RuntimePodStatus;
  readonly hasApiServer?: boolean;
  readonly awaitTurn?: ContainerRuntime['awaitTurn'];
}

function harness(
  script: Script = {},
  replace: (harness: () => SyncHarness) => Partial<PodSyncNeeds> = () => ({}),
): SyncHarness {
  const made: SyncHarness = createSyncHarness({
    rootDir,
    ...(script.hasApiServer !== undefined && { hasApiServer: script.hasApiServer }),
    runtime: {
      syncPod: async ({ status, pullSecrets }) => {
        made.steps.push(`runtime.syncPod ips=${status.ips.join()} secrets=${pullSecrets.length}`);
        return script.sync ?? { results: [] };
      },
      killPod: async ({ gracePeriodSeconds }) => {
        made.steps.push(`runtime.killPod ${gracePeriodSeconds ?? 'own'}`);
        return script.kill ?? { results: [] };
      },
      getPodStatus: async () => {
        made.steps.push('runtime.getPodStatus');
        return script.stopped ?? statusWith();
      },
      ...(script.awaitTurn && { awaitTurn: script.awaitTurn }),
    } as Partial<ContainerRuntime> as ContainerRuntime,
    replace: replace(() => made),
  });
  return made;
}
const sync = ({ syncer }: SyncHarness, pod: Pod, status = statusWith(), signal = never) =>
  syncer.syncPod({ updateType: 'sync', pod, status }, signal);

describe('spans', () => {
  it('cover the syncs of a pod, with its names', async () => {
    const tracer = new RecordingTracer();
    const all = harness({ kill: { results: [], error: new Error('busy') } }, () => ({ tracer }));
    const pod = podWith();
    await sync(all, pod);
    await expect(all.syncer.syncTerminatingPod({ pod, status: statusWith() })).rejects.toThrow('busy');
    await all.syncer.syncTerminatedPod(pod, statusWith(), never);
    const { name, namespace, uid } = pod.metadata;
    const attributes = {
      'k8s.pod.uid': uid,
      'k8s.pod': `${namespace}/${name}`,
      'k8s.pod.name': name,
      'k8s.namespace.name': namespace,
    };
    expect(tracer.spans.map((span) => [span.name, span.attributes, span.error === undefined])).toEqual([
      ['syncPod', { ...attributes, 'k8s.pod.update_type': 'sync' }, true],
      ['syncTerminatingPod', attributes, false],
      ['syncTerminatedPod', attributes, true],
    ]);
  });
});

describe('syncPod', () => {
  it('takes upstream steps in upstream order', async () => {
    const all = harness({ sync: { results: [{ action: 'StartContainer', target: 'app' }] } }, (made) => ({
      cgroups: {
        exists: async () => false,
        ensureExists: async () => void made().steps.push('cgroups.ensure'),
      } as Partial<PodSyncNeeds['cgroups']> as PodSyncNeeds['cgroups'],
    }));
    await sync(all, podWith(), statusWith({ ips: ['10.1.0.2', 'fd00::2'] }));
    expect(all.steps).toEqual([
      'status Pending',
      'secrets.register',
      'configMaps.register',
      'cgroups.ensure',
      'volumes.mount',
      'probes.addPod',
      'runtime.syncPod ips=10.1.0.2,fd00::2 secrets=0',
      'relist',
    ]);
    for (const name of ['volumes', 'plugins']) {
      expect((await stat(path.join(rootDir, 'pods/uid-1', name))).mode & 0o7777).toBe(0o750);
    }
  });

  it('prepares a new pod when its turn has come, and one that has its sandbox at once', async () => {
    let begin = (): void => undefined;
    const all: SyncHarness = harness({
      awaitTurn: async ({ metadata }) => {
        all.steps.push(`turn ${metadata.uid}`);
        await new Promise<void>((resolve) => (begin = resolve));
        return () => void all.steps.push('prepared');
      },
    });
    const done = sync(all, podWith());
    await all.clock.advance(0);
    expect(all.steps).toEqual(['status Pending', 'turn uid-1']);
    begin();
    await done;
    expect(all.steps.slice(2)).toEqual([
      'secrets.register',
      'configMaps.register',
      'volumes.mount',
      'prepared',
      'probes.addPod',
      'runtime.syncPod ips= secrets=0',
    ]);
    all.steps.length = 0;
    await sync(all, podWith(), statusWith({ sandboxes: [{ id: 's' } as RuntimePodStatus['sandboxes'][number]] }));
    expect(all.steps).not.toContain('turn uid-1');
  });

  it('prepares nothing for a pod that is deleted before its turn, and says so when a preparation fails', async () => {
    const deleted = new AbortController();
    const all: SyncHarness = harness({ awaitTurn: async () => () => void all.steps.push('prepared') });
    all.networkErrors.push('no CNI plugin');
    await expect(sync(all, podWith())).rejects.toThrow('network is not ready');
    expect(all.steps.at(-1)).toBe('prepared');
    all.steps.length = 0;
    deleted.abort(new Error('deleted'));
    await expect(sync(all, podWith(), statusWith(), deleted.signal)).rejects.toThrow('deleted');
    expect(all.steps).toEqual(['status Pending', 'prepared']);
  });

  it('brings the mirror pod of a static pod in line before its volumes, and waits for no API server', async () => {
    const all = harness({}, (made) => ({
      mirrorPods: {
        reconcile: async (pod) => {
          made().steps.push(`mirror ${pod.metadata.uid}`);
          return new Promise<void>(() => undefined);
        },
      },
    }));
    await sync(all, podWith({}, { annotations: { 'kubernetes.io/config.source': 'file' } }));
    expect(all.steps.slice(3, 5)).toEqual(['mirror uid-1', 'volumes.mount']);
    all.steps.length = 0;
    await sync(all, podWith({}, { annotations: { 'kubernetes.io/config.source': 'api' } }));
    expect(all.steps).not.toContain('mirror uid-1');
  });

  it('gives pods of the host network the addresses of the node', async () => {
    const all = harness();
    await sync(all, podWith({ hostNetwork: true }));
    expect(all.steps.at(-1)).toBe('runtime.syncPod ips=10.0.0.1 secrets=0');
  });

  it('gives no pod an address of the node without an API server', async () => {
    const all = harness({ hasApiServer: false });
    await sync(all, podWith({ hostNetwork: true }));
    expect(all.statuses.get('uid-1')).not.toHaveProperty('hostIP');
    expect(all.steps.at(-1)).toBe('runtime.syncPod ips= secrets=0');
  });

  it('syncs a pod whose status shows an address that the Node no longer has', async () => {
    let tell: ((node: Node | undefined) => void) | undefined;
    const all = harness({}, () => ({
      registeredNode: {
        watch: (listener) => {
          tell = listener;
          return () => undefined;
        },
      },
    }));
    await sync(all, podWith());
    tell?.({ status: { addresses: [{ type: 'InternalIP', address: '10.0.0.2' }] } });
    expect(all.steps.at(-1)).toBe('enqueue 0');
  });

  it('shows the host addresses of the Node as it is now, and none while nothing is known of it', async () => {
    let node: (() => Node) | undefined;
    const all = harness({}, () => ({
      node: {
        getNode: () => {
          if (node === undefined) throw new KubeletError('not yet', { code: 'unavailable' });
          return node();
        },
      },
    }));
    const shown = async (...addresses: NonNullable<Node['status']>['addresses'] & object): Promise<unknown> => {
      if (addresses.length > 0) node = () => ({ status: { addresses } });
      await sync(all, podWith());
      const { hostIP, hostIPs } = all.statuses.get('uid-1') ?? {};
      return [hostIP, hostIPs?.map(({ ip }) => ip)];
    };
    expect(await shown()).toEqual([undefined, undefined]);
    expect(await shown({ type: 'Hostname', address: 'n1' })).toEqual([undefined, undefined]);
    expect(all.logger.messages('info')).toEqual(['Cannot get host IPs', 'Cannot get host IPs']);
    expect(await shown({ type: 'InternalIP', address: '192.0.2.1' })).toEqual(['192.0.2.1', ['192.0.2.1']]);
    const [external, internal] = [
      { type: 'ExternalIP', address: '203.0.113.7' },
      { type: 'InternalIP', address: '2001:db8::7' },
    ];
    expect(await shown(external, internal)).toEqual(['2001:db8::7', ['2001:db8::7', '203.0.113.7']]);
    node = () => {
      throw new Error('bug');
    };
    await expect(sync(all, podWith())).rejects.toThrow('bug');
  });

  it('waits for the network, unless the pod uses that of the host', async () => {
    const all = harness();
    all.networkErrors.push('cni plugin not initialized');
    await expect(sync(all, podWith())).rejects.toThrow('network is not ready: cni plugin not initialized');
    expect(all.steps).toEqual([
      'status Pending',
      'event Warning NetworkNotReady: network is not ready: cni plugin not initialized',
      'status Pending',
    ]);
    expect(readyToStart(all)).toMatchObject({ status: 'False', reason: 'NetworkNotReady' });
    await expect(sync(all, podWith({ hostNetwork: true }))).resolves.toEqual({ terminal: false });
  });

  it('orders the sync that ends the pod at its active deadline, and then ends it', async () => {
    const all = harness();
    const pod = podWith({ activeDeadlineSeconds: 5 });
    await sync(all, pod);
    expect(all.steps).toContain('enqueue 5000');
    await all.clock.advance(5000);
    all.steps.length = 0;
    await expect(sync(all, pod)).resolves.toEqual({ terminal: true });
    expect(all.steps).toEqual([
      'event Normal DeadlineExceeded: Pod was active on the node longer than the specified deadline',
      'status Failed DeadlineExceeded',
    ]);
  });

  describe('without its cgroup', () => {
    const without = (script: Script, terminating = false, fails = false) =>
      harness(script, (made) => ({
        cgroups: {
          exists: async () => false,
          ensureExists: async () => {
            made().steps.push('cgroups.ensure');
            if (fails) throw new Error('read-only');
          },
        } as Partial<PodSyncNeeds['cgroups']> as PodSyncNeeds['cgroups'],
        ...(terminating && {
          lifecycle: { isTerminationRequested: () => true, shouldContentBeRemoved: () => false } as Partial<
            PodSyncNeeds['lifecycle']
          > as PodSyncNeeds['lifecycle'],
        }),
      }));
    const running = statusWith({ containers: [record('running')] });
    const cgroupSteps = ({ steps }: SyncHarness) => steps.filter((step) => /kill|cgroups/.test(step));
    const rule = {
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
    };

    it.each([
      ['is killed and gets one', podWith(), {}, ['runtime.killPod own', 'cgroups.ensure']],
      [
        'is killed and left so when it never restarts',
        podWith({ restartPolicy: 'Never' }),
        {},
        ['runtime.killPod own'],
      ],
      [
        'gets one when a container has a rule to restart',
        podWith({ restartPolicy: 'Never', containers: [{ name: 'app', ...rule }] }),
        {},
        ['runtime.killPod own', 'cgroups.ensure'],
      ],
      [
        'gets one when the kill failed',
        podWith({ restartPolicy: 'Never' }),
        { kill: { results: [], error: new Error('no') } },
        ['runtime.killPod own', 'cgroups.ensure'],
      ],
    ])('a running pod %s', async (_name, pod, script, expected) => {
      const all = without(script);
      await sync(all, pod, running);
      expect(cgroupSteps(all)).toEqual(expected);
    });

    it('a pod on its way out is left alone', async () => {
      const all = without({}, true);
      await sync(all, podWith(), running);
      expect(cgroupSteps(all)).toEqual([]);
    });

    it('says that it could not be made', async () => {
      const all = without({}, false, true);
      await expect(sync(all, podWith())).rejects.toThrow(
        'failed to ensure that the pod: uid-1 cgroups exist and are correctly applied: read-only',
      );
      expect(all.steps.at(-1)).toBe(
        'event Warning FailedCreatePodContainer: unable to ensure pod container exists: read-only',
      );
    });
  });

  it('says that the directories could not be made', async () => {
    await writeFile(path.join(rootDir, 'pods', 'file'), '').catch(() => writeFile(path.join(rootDir, 'file'), ''));
    const all = createSyncHarness({ rootDir: path.join(rootDir, 'pods', 'file'), runtime: {} as ContainerRuntime });
    await expect(sync(all, podWith())).rejects.toThrow('not a directory');
    expect(all.steps.at(-1)).toMatch(
      /^event Warning Failed: error making pod data directories: mkdir \S+\/pods\/file: not a directory$/,
    );
  });

  describe('with volumes', () => {
    const mounting = (mount: (signal: AbortSignal) => Promise<void>) =>
      harness({}, () => ({
        volumes: {
          waitForAttachAndMount: (_pod: Pod, signal: AbortSignal) => mount(signal),
          getMountedVolumes: () => [],
        } as Partial<PodSyncNeeds['volumes']> as PodSyncNeeds['volumes'],
      }));

    it('tells of a failure', async () => {
      const all = mounting(async () => Promise.reject(new Error('no such disk')));
      await expect(sync(all, podWith())).rejects.toThrow('no such disk');
      expect(all.steps.slice(-2)).toEqual([
        'event Warning FailedMount: Unable to attach or mount volumes: no such disk',
        'status Pending',
      ]);
      expect(readyToStart(all)).toMatchObject({ status: 'False', reason: 'VolumesNotMounted' });
    });

    it('shows that they take long', async () => {
      let mounted: () => void = () => undefined;
      const all = mounting(() => new Promise((resolve) => (mounted = resolve)));
      const done = sync(all, podWith());
      await all.clock.advance(9_999);
      expect(readyToStart(all)).not.toHaveProperty('reason');
      await all.clock.advance(1);
      expect(readyToStart(all)).toMatchObject({ status: 'False', reason: 'VolumesNotMounted' });
      mounted();
      await done;
    });

    it.each(['deadline-exceeded', 'cancelled'] as const)('keeps quiet about %s', async (code) => {
      const all = mounting(async () => Promise.reject(new KubeletError('timed out', { code })));
      await expect(sync(all, podWith())).rejects.toThrow('timed out');
      expect(all.steps.some((step) => step.startsWith('event'))).toBe(false);
    });

    it('rejects a pod for which the node has no room for volumes', async () => {
      const message = 'Node has reached its volume attachment limit, rejecting pod.';
      const reason = 'VolumeAttachmentLimitExceeded';
      const all = mounting(async () =>
        Promise.reject(new KubeletError(message, { code: 'resource-exhausted', reason })),
      );
      await expect(sync(all, podWith())).resolves.toEqual({ terminal: true });
      expect(all.steps.slice(-2)).toEqual([`event Warning ${reason}: ${message}`, `status Failed ${reason}`]);
      expect([...all.statuses.values()]).toMatchObject([
        { phase: 'Failed', reason, message: `Pod was rejected: ${message}`, qosClass: 'BestEffort' },
      ]);
      expect(await all.metrics.render()).toContain(`kubelet_admission_rejections_total{reason="${reason}"} 1`);
    });

    it('gives up after the time limit and leaves no timer', async () => {
      const all = mounting(
        (signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      );
      const failed = expect(sync(all, podWith())).rejects.toMatchObject({ code: 'deadline-exceeded' });
      await all.clock.advance(122_999);
      expect(all.clock.pendingTimers).toBe(1);
      await all.clock.advance(1);
      await failed;
      expect(all.clock.pendingTimers).toBe(0);
    });
  });

  it('goes on without pull secrets that are missing, and names them', async () => {
    const all = harness();
    all.secrets.add('there');
    const pod = podWith({ imagePullSecrets: [{ name: 'a' }, { name: 'there' }, {}, { name: 'b' }] });
    await sync(all, pod);
    expect(all.steps.slice(-3)).toEqual([
      'event Warning FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (a, b); attempting to pull the image may not succeed.',
      'probes.addPod',
      'runtime.syncPod ips= secrets=1',
    ]);
  });

  it('asks for a further sync at once after containers were removed for a restart of all', async () => {
    const all = harness({ sync: { results: [{ action: 'RemoveContainer', target: 'app' }] } });
    await sync(all, podWith());
    expect(all.steps.slice(-2)).toEqual(['relist', 'enqueue 0']);
  });

  it('shows in the next status why a container was not started, until the pod has ended', async () => {
    const error = { reason: 'ErrImagePull', message: 'no such image' };
    const all = harness({ sync: { results: [{ action: 'StartContainer', target: 'app', error }] } });
    await expect(sync(all, podWith())).rejects.toThrow('ErrImagePull');
    await expect(sync(all, podWith())).rejects.toThrow('ErrImagePull');
    expect(all.statuses.get('uid-1')?.containerStatuses?.[0]?.state).toEqual({ waiting: error });
    await all.syncer.syncTerminatedPod(podWith(), statusWith(), never);
    await expect(sync(all, podWith())).rejects.toThrow('ErrImagePull');
    expect(all.statuses.get('uid-1')?.containerStatuses?.[0]?.state).toEqual({
      waiting: { reason: 'ContainerCreating' },
    });
  });
});

describe('syncTerminatingPod', () => {
  it.each([
    [137, 'Failed Evicted'],
    [0, 'Succeeded'], // the override counts while the computed phase is the same
  ])('takes upstream steps in upstream order and keeps the addresses, exit code %i', async (exitCode, last) => {
    const all = harness({ stopped: statusWith({ containers: [record('exited', exitCode)] }) });
    const overrideStatus = (status: PodStatus): PodStatus => ({ ...status, phase: 'Failed', reason: 'Evicted' });
    const status = statusWith({ containers: [record('running')], ips: ['10.1.0.2'] });
    await all.syncer.syncTerminatingPod({ pod: podWith(), status, gracePeriodSeconds: 3, overrideStatus });
    expect(all.steps).toEqual([
      'status Failed Evicted',
      'probes.stopLivenessAndStartup',
      'runtime.killPod 3',
      'probes.removePod',
      'runtime.getPodStatus',
      `status ${last}`,
    ]);
    expect(all.statuses.get('uid-1')?.podIP).toBe('10.1.0.2');
  });

  it('keeps the probes when the kill fails, and tells of it', async () => {
    const all = harness({
      kill: {
        results: [{ action: 'KillContainer', target: 'app', error: { reason: 'KillContainerError', message: 'busy' } }],
      },
    });
    await expect(all.syncer.syncTerminatingPod({ pod: podWith(), status: statusWith() })).rejects.toThrow('busy');
    expect(all.steps.slice(-2)).toEqual([
      'runtime.killPod own',
      'event Warning FailedKillPod: error killing pod: failed to "KillContainer" for "app" with KillContainerError: "busy"',
    ]);
  });

  it('tells of a pod that only the runtime knows and that cannot be killed', async () => {
    const error = { reason: 'KillPodSandboxError', message: 'busy' };
    const all = harness({ kill: { results: [{ action: 'KillPodSandbox', target: 'stray', error }] } });
    const runningPod = { uid: 'stray', name: 'x', namespace: 'y', containers: [], sandboxes: [] };
    await expect(all.syncer.syncTerminatingRuntimePod(runningPod)).rejects.toThrow('busy');
    expect(all.steps.at(-1)).toBe(
      'event Warning FailedKillPod: error killing pod: failed to "KillPodSandbox" for "stray" with KillPodSandboxError: "busy"',
    );
  });

  it('unprepares the claims when nothing runs any more, and shows no end before', async () => {
    let fault: Error | undefined = new Error('unprepare dynamic resources: busy');
    const all = harness({}, (made) => ({
      claims: {
        unprepare: async ({ metadata }) => {
          made().steps.push(`claims.unprepare ${metadata.uid}`);
          if (fault !== undefined) throw fault;
        },
      },
    }));
    const status = statusWith({ containers: [record('running')] });
    const end = (): Promise<void> => all.syncer.syncTerminatingPod({ pod: podWith(), status });
    await expect(end()).rejects.toThrow('busy');
    expect(all.steps.slice(-2)).toEqual(['runtime.getPodStatus', 'claims.unprepare uid-1']);
    fault = undefined;
    await end();
    expect(all.steps.slice(-3, -1)).toEqual(['runtime.getPodStatus', 'claims.unprepare uid-1']);
    expect(all.steps.at(-1)).toMatch(/^status /);
  });

  it('does not believe a runtime whose containers run on', async () => {
    const all = harness({ stopped: statusWith({ containers: [record('running')] }) });
    await expect(all.syncer.syncTerminatingPod({ pod: podWith(), status: statusWith() })).rejects.toThrow(
      'detected running containers after a successful KillPod, CRI violation: [c1]',
    );
  });
});

describe('syncTerminatedPod', () => {
  it('takes upstream steps in upstream order', async () => {
    const all = harness();
    await all.syncer.syncTerminatedPod(podWith(), statusWith({ containers: [record('exited', 0)] }), never);
    expect(all.steps).toEqual([
      'status Succeeded',
      'volumes.unmount',
      'secrets.unregister',
      'configMaps.unregister',
      'cgroups.remove uid-1',
      'userNamespaces.release uid-1',
      'terminatePod',
    ]);
  });

  it('waits until nothing of the volumes is left, or for the signal', async () => {
    let left = 3;
    const all = harness({}, () => ({
      volumes: {
        waitForUnmount: async () => undefined,
        hasPossiblyMountedVolumes: async () => (left -= 1) > 0,
      } as Partial<PodSyncNeeds['volumes']> as PodSyncNeeds['volumes'],
    }));
    const done = all.syncer.syncTerminatedPod(podWith(), statusWith(), never);
    await all.clock.advance(199);
    expect(all.steps).not.toContain('terminatePod');
    await all.clock.advance(1);
    await done;
    expect(all.steps.at(-1)).toBe('terminatePod');

    left = Number.MAX_SAFE_INTEGER;
    const stopping = new AbortController();
    const stopped = expect(all.syncer.syncTerminatedPod(podWith(), statusWith(), stopping.signal)).rejects.toThrow(
      'enough',
    );
    await all.clock.advance(100);
    stopping.abort(new Error('enough'));
    await stopped;
  });
});
