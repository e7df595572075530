import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { InternalContainerLifecycle, PodSyncResult } from '@podwright/container-runtime-interface';
import { ContainerState, PodSandboxState } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { eventually } from '@podwright/time';
import { createFakeResizer } from '../fixtures/fake-resources.js';
import { createRuntimeHarness, type RuntimeHarness } from '../fixtures/runtime-harness.js';
import { container, criStatus, podWith, record, sandbox, sidecar, statusWith } from '../fixtures/records.js';

const failure = (message: string, code: 'unknown' | 'not-found' = 'unknown'): KubeletError =>
  new KubeletError(message, { code });
const rejecting = (message: string, code?: 'not-found') => (): Promise<never> => Promise.reject(failure(message, code));

/** `<action> <target>` with `<reason>: <message>` for what failed. */
function lines({ results, error }: PodSyncResult): string[] {
  const parts = results.map((result) => {
    const text = `${result.action} ${result.target}`;
    return result.error === undefined ? text : `${text} ${result.error.reason}: ${result.error.message}`;
  });
  return error === undefined ? parts : [...parts, `error: ${error.message}`];
}

const forPods = {
  forPod: async () => ({ hostname: 'web', hostDomain: '', sandboxHostname: 'web', dnsConfig: {} }),
};

const inState = (state: ContainerState) => (): unknown => ({ status: criStatus('early', { state }), info: {} });

describe('syncPod', () => {
  let harness: RuntimeHarness;
  beforeEach(async () => {
    harness = await createRuntimeHarness();
  });
  afterEach(() => harness.remove());

  it('makes the sandbox and starts the container, with the events in order', async () => {
    const result = await harness.sync(podWith());
    expect(lines(result)).toEqual([
      'KillPodSandbox uid-1',
      'CreatePodSandbox web_default(uid-1)',
      'StartContainer app',
    ]);
    expect(harness.fake.calls.filter((call) => !call.startsWith('imageStatus'))).toEqual([
      'runPodSandbox',
      'podSandboxStatus sandbox-1',
      'createContainer sandbox-1',
      'startContainer made-1',
    ]);
    expect(harness.events).toEqual([
      'Normal Created spec.containers{app}: Container created',
      'Normal Started spec.containers{app}: Container started',
    ]);
    expect(await readdir(join(harness.directory, 'logs/default_web_uid-1'))).toEqual(['app']);
    expect(harness.journal.decisions).toMatchObject([
      { kind: 'sandbox.created', pod: { uid: 'uid-1', name: 'web' }, sandboxId: 'sandbox-1', attempt: 0, waitedMs: 0 },
      { kind: 'container.started', container: 'app', containerId: 'made-1', type: 'regular', restartCount: 0 },
    ]);
  });

  it('says when a new sandbox has its network, before anything is made in it, and of a sandbox that stays nothing', async () => {
    let toldAfter: readonly string[] | undefined;
    const onSandboxReady = (): void => void (toldAfter = [...harness.fake.calls]);
    await harness.sync(podWith(), statusWith([], [sandbox()]), { onSandboxReady });
    expect(toldAfter).toBeUndefined();
    await harness.sync(podWith(), undefined, { onSandboxReady });
    expect(toldAfter?.at(-1)).not.toMatch(/^createContainer/);
    expect(toldAfter).toContain('podSandboxStatus sandbox-1');
  });

  it('tells of a replaced sandbox, kills first, and starts the init containers again, with the next count', async () => {
    const pod = podWith({ initContainers: [container('i')] });
    const old = sandbox({ state: PodSandboxState.SANDBOX_NOTREADY });
    harness.fake.on('containerStatus', () => ({ status: criStatus('i-id'), info: {} }));
    const status = statusWith([record('app', 'running'), record('i', 'exited', { restartCount: 3 })], [old]);
    const result = await harness.sync(pod, status);
    expect(lines(result)).toEqual([
      'KillContainer app',
      'KillPodSandbox uid-1',
      'CreatePodSandbox web_default(uid-1)',
      'StartContainer i',
    ]);
    expect(harness.fake.calls.filter((call) => !call.startsWith('imageStatus'))).toEqual([
      'stopContainer app-id 30s',
      'stopPodSandbox sandbox-1',
      'containerStatus i-id',
      'removeContainer i-id',
      'runPodSandbox',
      'podSandboxStatus sandbox-1',
      'createContainer sandbox-1',
      'startContainer made-1',
    ]);
    expect(harness.events.slice(0, 2)).toEqual([
      'Normal SandboxChanged pod: Pod sandbox changed, it will be killed and re-created.',
      'Normal Killing spec.containers{app}: Stopping container app',
    ]);
    expect(harness.journal.kinds('uid-1')).toEqual([
      'sandbox.replaced',
      'container.kill',
      'container.killed',
      'sandbox.created',
      'container.restart',
      'container.started',
    ]);
    expect(harness.journal.of('container.kill')).toMatchObject([
      { cause: 'pod', gracePeriodSeconds: 30, resumed: false },
    ]);
    expect(harness.journal.of('container.started')).toMatchObject([{ container: 'i', type: 'init' }]);
    const { config } = harness.fake.requestOf('createContainer') as { config: { metadata: { attempt: number } } };
    expect(config.metadata.attempt).toBe(4);
  });

  it('ends when the pod cannot be killed', async () => {
    harness.fake.on('stopPodSandbox', rejecting('busy'));
    const result = await harness.sync(
      podWith(),
      statusWith([], [sandbox({ state: PodSandboxState.SANDBOX_NOTREADY })]),
    );
    expect(lines(result)).toEqual(['KillPodSandbox uid-1 KillPodSandboxError: rpc error: code = Unknown desc = busy']);
    expect(harness.fake.calls).toEqual(['stopPodSandbox sandbox-1']);
  });

  it('makes the sandbox only when the claims of the pod are prepared, and ends quietly when they are not', async () => {
    const faults = ['prepare dynamic resources: no driver'];
    const calls: string[][] = [];
    const prepare = async (): Promise<void> => {
      calls.push([...claiming.fake.calls]);
      const fault = faults.shift();
      if (fault !== undefined) throw failure(fault);
    };
    const claiming = await createRuntimeHarness({ deps: { claims: { prepare } } });
    try {
      const result = await claiming.sync(podWith());
      expect(lines(result)).toEqual(['KillPodSandbox uid-1']);
      expect(claiming.fake.calls).toEqual([]);
      expect(claiming.events).toEqual([
        'Warning FailedPrepareDynamicResources pod: Failed to prepare dynamic resources: prepare dynamic resources: no driver',
      ]);
      expect(lines(await claiming.sync(podWith()))).toContain('StartContainer app');
      expect(calls).toEqual([[], []]);
      // The sandbox is there.
      await claiming.sync(podWith(), statusWith([], [sandbox()]));
      expect(calls).toHaveLength(2);
    } finally {
      await claiming.remove();
    }
  });

  it('shows a failed sandbox in the words of Go’s client', async () => {
    harness.fake.on('runPodSandbox', rejecting('no CNI'));
    const result = await harness.sync(podWith());
    const text = 'rpc error: code = Unknown desc = no CNI';
    expect(lines(result)[1]).toBe(
      `CreatePodSandbox web_default(uid-1) CreatePodSandboxError: Failed to create sandbox for pod "web_default(uid-1)": ${text}`,
    );
    expect(harness.events).toEqual([`Warning FailedCreatePodSandBox pod: Failed to create pod sandbox: ${text}`]);
    expect(harness.journal.decisions).toMatchObject([{ kind: 'sandbox.failed', step: 'create', error: text }]);
    const metrics = await harness.metrics.render();
    expect(metrics).toContain('kubelet_started_pods_errors_total 1');
    expect(metrics).toContain('kubelet_run_podsandbox_errors_total{runtime_handler=""} 1');
  });

  it('is silent about a failed sandbox of a pod that goes away', async () => {
    let ending = false;
    harness.fake.on('runPodSandbox', () => {
      ending = true;
      return Promise.reject(failure('no CNI'));
    });
    const result = await harness.sync(podWith(), undefined, { isTerminationRequested: () => ending });
    expect(lines(result)).toEqual(['KillPodSandbox uid-1']);
    expect(harness.events).toEqual([]);
  });

  it('ends when the new sandbox cannot be inspected', async () => {
    harness.fake.on('podSandboxStatus', rejecting('gone', 'not-found'));
    const result = await harness.sync(podWith());
    expect(lines(result).at(-1)).toBe('error: gone');
    expect(harness.events).toContain(
      'Warning FailedPodSandBoxStatus pod: Unable to get pod sandbox status: rpc error: code = NotFound desc = gone',
    );
    expect(harness.fake.calls).not.toContain('createContainer sandbox-1');
  });

  it('refuses a runtime class rather than run the pod without it', async () => {
    const result = await harness.sync(podWith({ runtimeClassName: 'gvisor' }));
    expect(harness.events).toEqual([
      'Warning FailedCreatePodSandBox pod: Failed to create pod sandbox: runtimeclass.node.k8s.io "gvisor" not found',
    ]);
    expect(lines(result)[1]).toMatch(/^CreatePodSandbox web_default\(uid-1\) CreatePodSandboxError: /);
  });

  const steps = ['createContainer', 'startContainer'] as const;
  it.each([
    [steps[0], 'CreateContainerError', []],
    [steps[1], 'RunContainerError', ['Normal Created spec.containers{app}: Container created']],
  ] as const)('a failed %s is a %s, and the next container is started all the same', async (method, reason, before) => {
    let first = true;
    harness.fake.on(method, () => {
      const failing = first;
      first = false;
      return failing ? Promise.reject(failure('bad made-1')) : { containerId: 'made-2' };
    });
    const result = await harness.sync(podWith({ containers: [container('app'), container('b')] }));
    expect(lines(result).slice(2)).toEqual([`StartContainer app ${reason}: bad made-1`, 'StartContainer b']);
    const message = method === 'startContainer' ? 'Error: bad app' : 'Error: bad made-1';
    expect(harness.events.slice(0, before.length + 1)).toEqual([
      ...before,
      `Warning Failed spec.containers{app}: ${message}`,
    ]);
    expect(await harness.metrics.render()).toContain(
      `kubelet_started_containers_errors_total{code="${reason}",container_type="container"} 1`,
    );
  });

  it('a container that was created and may still start goes before its successor is created', async () => {
    const status = statusWith([record('app', 'created', { id: 'early' })]);
    harness.fake.on('containerStatus', inState(ContainerState.CONTAINER_CREATED));
    await harness.sync(podWith(), status);
    const order = harness.fake.calls.filter((call) => /^(?:remove|create)Container/.test(call));
    expect(order).toEqual(['removeContainer early', 'createContainer sandbox-1']);
    harness.fake.on('removeContainer', rejecting('it is starting'));
    const message = 'cannot remove the one that was created before and may still start: it is starting';
    const result = await harness.sync(podWith(), status);
    // Soon, and not after the back-off of a sync that failed: by then it has started or failed.
    expect(result.results.at(-1)?.backOffUntilMs).toBe(harness.clock.now() + 500);
    const refused = lines(result);
    expect(refused.at(-1)).toBe(`StartContainer app CreateContainerError: ${message}`);
    expect(harness.events.at(-1)).toBe(`Warning Failed spec.containers{app}: Error: ${message}`);
    expect(harness.fake.calls.filter((call) => call.startsWith('createContainer'))).toHaveLength(1);
    harness.fake.on('containerStatus', inState(ContainerState.CONTAINER_RUNNING));
    const removals = harness.fake.calls.filter((call) => call.startsWith('removeContainer')).length;
    const started = await harness.sync(podWith(), status);
    expect(lines(started).at(-1)).toContain('the one that was created before has started meanwhile');
    expect(started.results.at(-1)?.backOffUntilMs).toBe(harness.clock.now() + 500);
    expect(harness.fake.calls.filter((call) => call.startsWith('removeContainer'))).toHaveLength(removals);
  });

  it('a configuration that cannot be made is a CreateContainerConfigError', async () => {
    const pod = podWith({ securityContext: { runAsNonRoot: true } });
    const message = 'container has runAsNonRoot and image will run as root (pod: "web_default(uid-1)", container: app)';
    const result = await harness.sync(pod);
    expect(lines(result).at(-1)).toBe(`StartContainer app CreateContainerConfigError: ${message}`);
    expect(harness.events).toEqual([`Warning Failed spec.containers{app}: Error: ${message}`]);
  });

  it.each<[string, Partial<Pod['spec']>, Parameters<typeof createRuntimeHarness>[0]]>([
    ['cannot be made', { securityContext: { runAsNonRoot: true } }, {}],
    [
      'lacks its config map',
      {},
      { deps: { environment: { ...forPods, forContainer: rejecting('configmap "settings" not found') } } },
    ],
  ])(
    'a configuration that %s leaves no file for a termination message and no folder for logs',
    async (_name, spec, options) => {
      await harness.remove();
      harness = await createRuntimeHarness(options);
      const containers = [container('app', { terminationMessagePath: '/dev/termination-log' })];
      const result = await harness.sync(podWith({ ...spec, containers }));
      expect(lines(result).at(-1)).toContain('StartContainer app CreateContainerConfigError');
      const files = await readdir(harness.directory, { recursive: true, withFileTypes: true });
      expect(files.filter((entry) => entry.isFile())).toEqual([]);
      expect(await readdir(join(harness.directory, 'logs/default_web_uid-1'))).toEqual([]);
    },
  );

  describe('internal lifecycle', () => {
    const told: string[] = [];
    async function withLifecycle(failing?: string): Promise<void> {
      await harness.remove();
      told.length = 0;
      const tell = async (text: string): Promise<void> => {
        told.push(text);
        if (failing !== undefined && text.startsWith(failing)) throw new Error('no room for made-1');
      };
      const internalLifecycle: InternalContainerLifecycle = {
        preCreateContainer: async (_, { name }, config) => {
          await tell(`create ${name}`);
          return { ...config, linux: { ...config.linux, resources: { cpusetCpus: '3' } } };
        },
        preStartContainer: (_, { name }, id) => tell(`start ${name} ${id}`),
        postStopContainer: (id) => tell(`stop ${id}`),
      };
      harness = await createRuntimeHarness({ deps: { internalLifecycle } });
    }

    it('takes part in each start, and is told of what has ended and what is removed', async () => {
      await withLifecycle();
      await harness.sync(podWith(), statusWith([record('app', 'exited')]));
      await harness.runtime.removeContainer('app-id', { keepLogs: true });
      expect(told).toEqual(['stop app-id', 'create app', 'start app made-1', 'stop app-id']);
      const { config } = harness.fake.requestOf('createContainer') as { config: { linux: { resources: object } } };
      expect(config.linux.resources).toEqual({ cpusetCpus: '3' });
    });

    it('is told of an init container that goes before it has started, also when its removal is told as failed', async () => {
      await withLifecycle();
      harness.fake.on('containerStatus', inState(ContainerState.CONTAINER_CREATED));
      const pod = podWith({ initContainers: [container('init')] });
      const status = statusWith([record('init', 'created', { id: 'early' })]);
      await harness.sync(pod, status);
      harness.fake.on('removeContainer', rejecting('the connection was lost'));
      await harness.sync(pod, status);
      expect(told).toEqual(['create init', 'stop early', 'start init made-1', 'create init', 'stop early']);
    });

    it.each([
      ['create', 'PreCreateHookError', 'Internal PreCreateContainer hook failed: no room for made-1'],
      ['start', 'PreStartHookError', 'Internal PreStartContainer hook failed: no room for app'],
    ])('a failed %s is a %s', async (hook, reason, message) => {
      await withLifecycle(hook);
      expect(lines(await harness.sync(podWith())).at(-1)).toBe(`StartContainer app ${reason}: no room for made-1`);
      expect(harness.events).toEqual([`Warning Failed spec.containers{app}: ${message}`]);
      expect(harness.fake.calls).not.toContain('startContainer made-1');
    });

    it('keeps a record whose end cannot be told, but a sync goes on', async () => {
      await withLifecycle('stop');
      await expect(harness.runtime.removeContainer('app-id', { keepLogs: true })).rejects.toThrow('no room');
      expect(lines(await harness.sync(podWith(), statusWith([record('app', 'exited')]))).at(-1)).toBe(
        'StartContainer app',
      );
    });
  });

  it('an image failure gives its own reason and message', async () => {
    const error = new KubeletError('Back-off pulling image "app:1"', {
      code: 'unavailable',
      reason: 'ImagePullBackOff',
    });
    await harness.remove();
    harness = await createRuntimeHarness({ deps: { images: { ensureImageExists: () => Promise.reject(error) } } });
    const result = await harness.sync(podWith());
    expect(lines(result).at(-1)).toBe('StartContainer app ImagePullBackOff: Back-off pulling image "app:1"');
    expect(harness.events).toEqual(['Warning Failed spec.containers{app}: Error: ImagePullBackOff']);
  });

  it('a failed postStart hook kills the container', async () => {
    await harness.remove();
    harness = await createRuntimeHarness({ deps: { hooks: { run: () => Promise.reject(new Error('hook says no')) } } });
    const hooked = container('app', { lifecycle: { postStart: { exec: { command: ['x'] } } } });
    const result = await harness.sync(podWith({ containers: [hooked] }));
    expect(lines(result).at(-1)).toBe('StartContainer app PostStartHookError: hook says no');
    expect(harness.events.slice(2)).toEqual([
      'Warning FailedPostStartHook spec.containers{app}: PostStartHook failed',
      'Normal Killing spec.containers{app}: FailedPostStartHook',
    ]);
    expect(harness.fake.calls.at(-1)).toBe('stopContainer made-1 30s');
    const kinds = ['hook.failed', 'container.kill', 'container.killed', 'container.failed'];
    expect(harness.journal.kinds('uid-1').slice(2)).toEqual(kinds);
  });

  it('a container that the runtime fails to stop after its postStart hook is stopped once more, when it may have ended', async () => {
    await harness.remove();
    harness = await createRuntimeHarness({ deps: { hooks: { run: () => Promise.reject(new Error('hook says no')) } } });
    const hooked = podWith({
      containers: [container('app', { lifecycle: { postStart: { exec: { command: ['x'] } } } })],
    });
    const stops = (): readonly string[] => harness.fake.calls.filter((call) => call.startsWith('stopContainer'));
    harness.fake.on('stopContainer', rejecting('ttrpc: closed'));
    const synced = harness.sync(hooked);
    await eventually(() => stops().length > 0);
    await harness.clock.advance(999);
    expect(stops()).toEqual(['stopContainer made-1 30s']);
    await harness.clock.advance(1);
    expect(lines(await synced).at(-1)).toBe('StartContainer app PostStartHookError: hook says no');
    expect(stops()).toEqual(['stopContainer made-1 30s', 'stopContainer made-1 2s']);
    expect(harness.events.filter((event) => event.includes('Killing'))).toHaveLength(1);
  });

  it('stops at a plain init container that does not start, but not at a sidecar', async () => {
    const running = [record('i', 'exited')];
    harness.fake.on('createContainer', rejecting('no'));
    const plain = podWith({ initContainers: [container('i'), container('j')] });
    expect(lines(await harness.sync(plain, statusWith(running)))).toEqual([
      'ConfigPodSandbox sandbox-1',
      'StartContainer j CreateContainerError: no',
    ]);
    const beside = podWith({ initContainers: [sidecar('s')], containers: [container('app'), container('b')] });
    const status = statusWith([record('b', 'running'), record('s', 'exited')]);
    expect(lines(await harness.sync(beside, status))).toEqual([
      'ConfigPodSandbox sandbox-1',
      'StartContainer s CreateContainerError: no',
      'StartContainer app CreateContainerError: no',
    ]);
  });

  it('a pause of a crash loop holds up that container alone, but all after a plain init container', async () => {
    const dead = (name: string) =>
      record(name, 'exited', { exitCode: 1, finishedAt: BigInt(harness.clock.now()) * 1_000_000n });
    const pair = podWith({ containers: [container('app'), container('b')] });
    await harness.sync(pair, statusWith([dead('app'), record('b', 'running')]));
    const paused = 'back-off 10s restarting failed container=app pod=web_default(uid-1)';
    expect(lines(await harness.sync(pair, statusWith([dead('app'), dead('b')])))).toEqual([
      'ConfigPodSandbox sandbox-1',
      `StartContainer app CrashLoopBackOff: ${paused}`,
      'StartContainer b',
    ]);
    await harness.sync(pair, statusWith([dead('app'), record('b', 'running')]));
    // A wait is reported once, however many syncs find it.
    expect(harness.journal.of('container.restart')).toMatchObject([
      { container: 'app', action: 'now', exitCode: 1 },
      { container: 'app', action: 'waits', backOffMs: 10_000, backOffUntilMs: harness.clock.now() + 10_000 },
      { container: 'b', action: 'now' },
    ]);
    const init = podWith({ initContainers: [container('app2'), sidecar('s')] });
    await harness.sync(init, statusWith([dead('app2')]));
    expect(lines(await harness.sync(init, statusWith([dead('app2')]))).at(-1)).toMatch(
      /^StartContainer app2 CrashLoop/,
    );
    await harness.clock.advance(600_001);
    harness.runtime.purgeBackOffs();
    expect(lines(await harness.sync(init, statusWith([dead('app2')]))).at(-1)).toBe('StartContainer app2');
  });

  it('kills what is to be replaced, ends at the first failure', async () => {
    const pod = podWith({ containers: [container('a'), container('b')] });
    const status = statusWith([record('a', 'running', { hash: 'x' }), record('b', 'running', { hash: 'x' })]);
    harness.fake.on('stopContainer', rejecting('stuck'));
    expect(lines(await harness.sync(pod, status))).toEqual([
      'KillContainer a KillContainerError: rpc error: code = Unknown desc = stuck',
    ]);
    harness.fake.on('stopContainer', rejecting('gone', 'not-found'));
    expect(lines(await harness.sync(pod, status))).toEqual([
      'KillContainer a',
      'KillContainer b',
      'ConfigPodSandbox sandbox-1',
      'StartContainer a',
      'StartContainer b',
    ]);
    expect(harness.events).toContain(
      'Normal Killing spec.containers{b}: Container b definition changed, will be restarted',
    );
  });

  it('makes room for a container that was down before it starts it', async () => {
    const order: string[] = [];
    await harness.remove();
    harness = await createRuntimeHarness({ deps: { resizer: createFakeResizer((line) => void order.push(line)) } });
    harness.fake.on('createContainer', () => {
      order.push('create');
      return { containerId: 'new' };
    });
    await harness.sync(podWith(), statusWith([record('app', 'exited', { exitCode: 1 })]));
    expect(order).toEqual(['make room', 'create']);
  });

  it('looks at the surroundings and the images of volumes also when nothing starts', async () => {
    const seen: string[] = [];
    const forPod = async (): ReturnType<typeof forPods.forPod> => {
      seen.push('surroundings');
      return forPods.forPod();
    };
    const ensureImageExists = async ({ image }: { readonly image: string }): Promise<{ imageRef: string }> => {
      seen.push(image);
      return { imageRef: image };
    };
    await harness.remove();
    harness = await createRuntimeHarness({
      deps: {
        environment: { ...forPods, forPod, forContainer: () => Promise.reject(failure('nothing starts')) },
        images: { ensureImageExists },
        resizer: createFakeResizer((line) => void seen.push(line)),
      },
    });
    const volumes = [{ name: 'data', image: { reference: 'data:1' } }];
    const startedAt = BigInt(harness.clock.now() - 50_000) * 1_000_000n;
    await harness.sync(podWith({ volumes }), statusWith([record('app', 'running', { startedAt })]));
    expect(seen).toEqual([]); // its start has just looked at them
    await harness.clock.advance(10_000);
    const result = await harness.sync(podWith({ volumes }), statusWith([record('app', 'running', { startedAt })]));
    expect(lines(result)).toEqual([]);
    expect(seen).toEqual(['surroundings', 'data:1']);
    expect(harness.fake.calls).toEqual([]);
  });

  it('keeps only the newest ended record of each init container', async () => {
    const pod = podWith({ initContainers: [container('i')] });
    harness.fake.on('containerStatus', () => ({ status: criStatus('x'), info: {} }));
    const records = [
      record('app', 'running'),
      record('i', 'exited', { id: 'i2' }),
      record('i', 'unknown', { id: 'i1' }),
      record('i', 'exited', { id: 'i0' }),
    ];
    await harness.sync(pod, statusWith(records));
    expect(harness.fake.calls.filter((call) => call.startsWith('remove'))).toEqual([
      'removeContainer i1',
      'removeContainer i0',
    ]);
  });

  it('clears all containers away for RestartAllContainers, without grace, keeping logs', async () => {
    const apiStatus = { conditions: [{ type: 'AllContainersRestarting', status: 'True' }] };
    const status = statusWith([record('app', 'running'), record('app', 'exited', { id: 'old' })]);
    const result = await harness.sync(podWith(), status, { apiStatus });
    expect(lines(result)).toEqual(['KillContainer app', 'RemoveContainer app', 'RemoveContainer app']);
    expect(harness.fake.calls).toEqual(['stopContainer app-id 2s', 'removeContainer app-id', 'removeContainer old']);
    expect(harness.events).toEqual(['Normal Killing spec.containers{app}: killing']);
  });

  it('starts an ephemeral container beside its target', async () => {
    const pod: Pod = podWith({
      ephemeralContainers: [
        { name: 'dbg', image: 'dbg:1', targetContainerName: 'app' },
        { name: 'lost', targetContainerName: 'nobody' },
      ],
    });
    const result = await harness.sync(pod, statusWith([record('app', 'running')]));
    expect(lines(result)).toEqual([
      'ConfigPodSandbox sandbox-1',
      'StartContainer dbg',
      'StartContainer lost CreateContainerConfigError: unable to find target container nobody',
    ]);
    const { config } = harness.fake.requestOf('createContainer') as {
      config: { linux: { securityContext: { namespaceOptions: object } } };
    };
    expect(config.linux.securityContext.namespaceOptions).toMatchObject({ pid: 3, targetId: 'app-id' });
    expect(harness.events[0]).toBe('Normal Created spec.ephemeralContainers{dbg}: Container created');
  });

  it('goes on counting restarts from records, else from the log files', async () => {
    const logs = join(harness.directory, 'logs/default_web_uid-1/app');
    await mkdir(logs, { recursive: true });
    for (const name of ['2.log', '10.log.20260101-000000', 'x.log']) await writeFile(join(logs, name), '');
    await harness.sync(podWith());
    await harness.sync(podWith(), statusWith([record('app', 'exited', { restartCount: 4 })]));
    const configOf = (index: number): { metadata: { attempt: number }; logPath: string } =>
      (
        harness.fake.requestOf('createContainer', index) as {
          config: { metadata: { attempt: number }; logPath: string };
        }
      ).config;
    expect(configOf(0)).toMatchObject({ metadata: { attempt: 11 }, logPath: 'app/11.log' });
    expect(configOf(1)).toMatchObject({ metadata: { attempt: 5 } });
  });

  it('links the log once the runtime has made it', async () => {
    const log = join(harness.directory, 'logs/default_web_uid-1/app/0.log');
    harness.fake.on('startContainer', () => writeFile(log, ''));
    await harness.sync(podWith());
    expect(await readlink(join(harness.directory, 'web_default_app-made-1.log'))).toBe(log);
  });
});
