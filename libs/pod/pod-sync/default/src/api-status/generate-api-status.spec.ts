import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { PodSandboxState, type PodSandboxStatus } from '@podwright/cri-client-interface';
import type { Pod, PodCondition, PodStatus } from '@podwright/kube-types';
import { generateApiStatus, type ApiStatusInput } from './generate-api-status.js';

const podWith = (part: Partial<Pod['spec']> = {}, status?: PodStatus, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { uid: 'u', ...metadata },
  spec: { restartPolicy: 'Always', containers: [{ name: 'a', image: 'i' }], ...part },
  ...(status && { status }),
});
const record = (state: RuntimeContainerStatus['state'], exitCode = 0): RuntimeContainerStatus =>
  ({
    id: 'c1',
    name: 'a',
    podSandboxId: 's1',
    state,
    exitCode,
    createdAt: 1n,
    image: 'i',
    imageRef: '',
    restartCount: 0,
    startedAt: 0n,
    finishedAt: 0n,
    reason: '',
    message: '',
    cri: {},
  }) as unknown as RuntimeContainerStatus;
const sandbox = { id: 's1', state: PodSandboxState.SANDBOX_READY } as PodSandboxStatus;

function generate(
  part: Partial<Omit<ApiStatusInput, 'runtime'>> & { runtime?: Partial<RuntimePodStatus> } = {},
): PodStatus {
  return generateApiStatus({
    pod: podWith(),
    runtimeName: 'containerd',
    cached: undefined,
    terminal: false,
    evicted: false,
    hostIps: [],
    primaryFamily: 4,
    supportsRecursiveReadOnly: false,
    resizeConditions: [],
    showStopSignals: false,
    gates: { readyToStartCondition: true, restartAllContainers: true },
    sandboxObstacle: undefined,
    nowMs: Date.parse('2026-01-01T00:01:00Z'),
    startFailure: () => undefined,
    withProbeResults: (status) => status,
    ...part,
    runtime: { uid: 'u', name: '', namespace: '', ips: [], containers: [], sandboxes: [], ...part.runtime },
  });
}

const ready = (status: PodStatus): PodStatus => ({
  ...status,
  containerStatuses: (status.containerStatuses ?? []).map((container) => ({ ...container, ready: true })),
});
const short = (status: PodStatus): readonly string[] =>
  (status.conditions ?? []).map(({ type, status: value }) => `${type}=${value}`);

describe('phase of a pod whose containers succeeded when they were stopped', () => {
  const stopped = { terminal: true, runtime: { containers: [record('exited', 0)], sandboxes: [sandbox] } };
  const cached: PodStatus = { phase: 'Failed', reason: 'Evicted', message: 'm' };

  it.each([
    [true, { phase: 'Failed', reason: 'Evicted', message: 'm' }],
    [false, { phase: 'Succeeded' }],
  ])('evicted: %s', (evicted, { phase, reason, message }: PodStatus) => {
    const status = generate({ ...stopped, cached, evicted });
    expect([status.phase, status.reason, status.message]).toEqual([phase, reason, message]);
  });

  it('stays Failed with its reason when a new kubelet finds it so in the API', () => {
    expect(generate({ ...stopped, pod: podWith({}, cached) })).toMatchObject(cached);
  });
});

describe('conditions', () => {
  it('come in upstream order, foreign ones first', () => {
    const api: PodStatus = {
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'example.com/y', status: 'True' },
        { type: 'PodResizePending', status: 'True' },
        { type: 'example.com/x', status: 'False' },
      ],
    };
    const runtime = { containers: [record('running')], sandboxes: [sandbox] };
    expect(short(generate({ pod: podWith({ hostNetwork: false }, api), runtime, withProbeResults: ready }))).toEqual([
      'example.com/y=True',
      'example.com/x=False',
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
  });

  it.each(['PodReadyToStartContainers', 'AllContainersRestarting'])(
    'keep an earlier %s as the API shows it when its gate is off',
    (type) => {
      const earlier = { type, status: 'True', reason: 'Earlier' };
      const shown = (on: boolean): readonly PodCondition[] =>
        (
          generate({
            pod: podWith({}, { conditions: [earlier] }),
            gates: { readyToStartCondition: on, restartAllContainers: on },
          }).conditions ?? []
        ).filter((condition) => condition.type === type);
      expect(shown(false)).toEqual([earlier]);
      expect(shown(true)).not.toContainEqual(earlier);
    },
  );

  it('say what keeps the pod from its sandbox, while something does', () => {
    const sandboxObstacle = { reason: 'VolumesNotMounted', message: 'waiting' };
    const shown = (part: Parameters<typeof generate>[0]): PodCondition | undefined =>
      generate({ sandboxObstacle, ...part }).conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
    const type = 'PodReadyToStartContainers';
    expect(shown({})).toEqual({ type, status: 'False', ...sandboxObstacle });
    expect(shown({ runtime: { sandboxes: [sandbox] } })).toEqual({ type, status: 'True' });
    expect(shown({ terminal: true })).toEqual({ type, status: 'False' });
    expect(shown({ sandboxObstacle: undefined })).toEqual({ type, status: 'False' });
  });

  it('name the containers that a pod has failed for', () => {
    const pod = podWith({ restartPolicy: 'Never' });
    const { conditions = [] } = generate({ pod, runtime: { containers: [record('exited', 3)], sandboxes: [sandbox] } });
    const failed = { status: 'False', reason: 'PodFailed', message: 'containers that failed: [a (exit code 3)]' };
    expect(conditions.filter(({ reason }) => reason === 'PodFailed')).toEqual([
      { type: 'Ready', ...failed },
      { type: 'ContainersReady', ...failed },
    ]);
  });

  it('lack PodReadyToStartContainers when its gate is off', () => {
    const types = (readyToStartCondition: boolean): readonly string[] =>
      (generate({ gates: { readyToStartCondition, restartAllContainers: true } }).conditions ?? []).map(
        ({ type }) => type,
      );
    expect(types(true)).toContain('PodReadyToStartContainers');
    expect(types(false)).toEqual(types(true).filter((type) => type !== 'PodReadyToStartContainers'));
  });

  it('tell what is missing before the first start', () => {
    const { conditions = [] } = generate({ pod: podWith({ initContainers: [{ name: 'i' }] }) });
    const of = (type: string): PodCondition | undefined => conditions.find((condition) => condition.type === type);
    expect(of('PodReadyToStartContainers')).toEqual({ type: 'PodReadyToStartContainers', status: 'False' });
    expect(of('Initialized')).toMatchObject({
      reason: 'ContainersNotInitialized',
      message: 'containers with incomplete status: [i]',
    });
    expect(of('Ready')).toMatchObject({ reason: 'ContainersNotReady', message: 'containers with unready status: [a]' });
  });

  it('carry the generation of the spec, except where they tell of the past', () => {
    const disruption = { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' };
    const status = generate({ pod: podWith({}, undefined, { generation: 4 }), cached: { conditions: [disruption] } });
    expect(status.observedGeneration).toBe(4);
    expect(status.conditions?.[0]).toEqual(disruption);
    expect(status.conditions?.slice(1).every(({ observedGeneration }) => observedGeneration === 4)).toBe(true);
  });

  it('of a resize come after foreign ones, as they are, and not when the pod has ended', () => {
    const resizeConditions = [
      { type: 'PodResizePending', status: 'True', reason: 'Deferred', observedGeneration: 2 },
      { type: 'PodResizeInProgress', status: 'True', observedGeneration: 1 },
    ];
    const pod = podWith({}, { conditions: [{ type: 'x', status: 'True' }] }, { generation: 3 });
    const cached = { conditions: [{ type: 'DisruptionTarget', status: 'True' }] };
    const { conditions = [] } = generate({ pod, cached, resizeConditions });
    expect(conditions.slice(0, 4).map(({ type }) => type)).toEqual([
      'x',
      'PodResizePending',
      'PodResizeInProgress',
      'DisruptionTarget',
    ]);
    expect(conditions.slice(1, 3)).toEqual(resizeConditions);
    expect(short(generate({ pod, resizeConditions, terminal: true }))).not.toContain('PodResizePending=True');
  });

  it('let readiness gates ask for what comes before them', () => {
    const runtime = { containers: [record('running')], sandboxes: [sandbox] };
    const gate = (conditionType: string) => podWith({ readinessGates: [{ conditionType }] });
    const gated = (conditionType: string): PodCondition | undefined =>
      generate({ pod: gate(conditionType), runtime, withProbeResults: ready }).conditions?.find(
        ({ type }) => type === 'Ready',
      );
    expect(gated('Initialized')?.status).toBe('True');
    expect(gated('example.com/gate')).toMatchObject({
      reason: 'ReadinessGatesNotReady',
      message: 'corresponding condition of pod readiness gate "example.com/gate" does not exist.',
    });
  });

  it.each([
    ['Succeeded', 'PodCompleted'],
    ['Failed', 'PodFailed'],
  ])('say that a restart of all is over in phase %s', (phase, reason) => {
    const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
    const container = { name: 'a', restartPolicy: 'Never', restartPolicyRules: rules } as Pod['spec']['containers'][0];
    const pod = podWith({ restartPolicy: 'Never', containers: [container] }, { phase });
    expect(generate({ pod }).conditions?.at(-1)).toEqual({ type: 'AllContainersRestarting', status: 'False', reason });
  });

  it('look at regular and init containers alone when all restart', () => {
    const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
    const container = { name: 'a', restartPolicy: 'Never', restartPolicyRules: rules } as Pod['spec']['containers'][0];
    const cached = { conditions: [{ type: 'AllContainersRestarting', status: 'True' }] };
    const left = (name: string) =>
      generate({
        pod: podWith({ containers: [container] }),
        cached,
        runtime: { containers: [{ ...record('exited', 42), name }] },
      }).conditions?.at(-1)?.status;
    expect([left('a'), left('debugger')]).toEqual(['True', 'False']);
  });

  it('keep the place of DisruptionTarget where the API has it, with what the kubelet knows', () => {
    const disruption = { type: 'DisruptionTarget', status: 'True' };
    const api = {
      conditions: [
        { ...disruption, status: 'False' },
        { type: 'x', status: 'True' },
      ],
    };
    expect(short(generate({ pod: podWith({}, api), cached: { conditions: [disruption] } })).slice(0, 2)).toEqual([
      'DisruptionTarget=True',
      'x=True',
    ]);
  });

  it('say while all containers restart, until their records are gone', () => {
    const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
    const pod = podWith({
      restartPolicy: 'Never',
      containers: [{ name: 'a', restartPolicy: 'Never', restartPolicyRules: rules } as Pod['spec']['containers'][0]],
    });
    const exited = { containers: [record('exited', 42)] };
    const started = generate({ pod, runtime: exited });
    expect(started.conditions?.at(-1)).toEqual({
      type: 'AllContainersRestarting',
      status: 'True',
      reason: 'RestartAllContainersStarted',
      message: 'container exited with restart policy rule',
    });
    // As upstream: this condition alone has no observedGeneration.
    const counted = { ...pod, metadata: { ...pod.metadata, generation: 3 } };
    expect(generate({ pod: counted, runtime: exited }).conditions?.map((each) => each.observedGeneration)).toEqual([
      ...new Array<number>(5).fill(3),
      undefined,
    ]);
    const removed = generate({ pod, cached: started });
    expect(removed.conditions?.at(-1)).toEqual({ type: 'AllContainersRestarting', status: 'False' });
    expect(removed.containerStatuses?.[0]?.state?.waiting?.reason).toBe('RestartingAllContainers');
    expect(short(generate({ pod: podWith() }))).not.toContain('AllContainersRestarting=False');
  });
});

describe('phase and probes', () => {
  it('asks the probes after the phase is made', () => {
    const sidecar = { name: 's', restartPolicy: 'Always' };
    const pod = podWith({ initContainers: [sidecar] });
    const runtime = { containers: [{ ...record('running'), name: 's' }, record('running')] };
    const started = (status: PodStatus): PodStatus => ({
      ...status,
      initContainerStatuses: (status.initContainerStatuses ?? []).map((one) => ({ ...one, started: true })),
    });
    const status = generate({ pod, runtime, withProbeResults: started });
    expect([status.phase, status.initContainerStatuses?.[0]?.started]).toEqual(['Pending', true]);
    expect(generate({ pod, runtime, withProbeResults: started, cached: status }).phase).toBe('Running');
  });
});

describe('phase, reason and message', () => {
  const running = { containers: [record('running')] };
  const failed = { phase: 'Failed', reason: 'Evicted', message: 'm' };
  const deadline = {
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
  const started: PodStatus = { phase: 'Running', startTime: '2026-01-01T00:00:00Z' };

  it.each([
    ['computed, nothing old', {}, { phase: 'Pending' }],
    ['a terminal phase of before stays, with its reason', { cached: failed, runtime: running }, failed],
    [
      'a terminal phase of the API stays when the cache has none',
      { cached: { phase: 'Running' }, pod: podWith({}, failed), runtime: running },
      { phase: 'Failed' },
    ],
    [
      'the same phase keeps its reason',
      { cached: { phase: 'Running', reason: 'r', message: 'm' }, runtime: running },
      { phase: 'Running', reason: 'r', message: 'm' },
    ],
    [
      'an empty reason is taken from the API',
      { cached: { phase: 'Running', reason: '' }, pod: podWith({}, { reason: 'api' }), runtime: running },
      { phase: 'Running', reason: 'api' },
    ],
    [
      'another phase drops the reason',
      { cached: { phase: 'Pending', reason: 'r' }, runtime: running },
      { phase: 'Running' },
    ],
    [
      'past the deadline',
      { cached: started, pod: podWith({ activeDeadlineSeconds: 60 }), runtime: running },
      { phase: 'Failed', ...deadline },
    ],
    [
      'just before the deadline',
      { cached: started, pod: podWith({ activeDeadlineSeconds: 61 }), runtime: running },
      { phase: 'Running' },
    ],
    [
      'past the deadline, but over in the API',
      { cached: started, pod: podWith({ activeDeadlineSeconds: 60 }, { phase: 'Succeeded' }), runtime: running },
      { phase: 'Succeeded', ...deadline },
    ],
    [
      'over in the API, computed otherwise',
      { terminal: true, pod: podWith({}, { phase: 'Succeeded' }), runtime: { containers: [record('exited', 1)] } },
      { phase: 'Succeeded' },
    ],
  ])('%s', (_name, input, expected) => {
    const { phase, reason, message } = generate(input);
    expect({ phase, ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) }).toEqual(
      expected,
    );
  });
});

describe('addresses and class', () => {
  const dual = ['10.0.0.1', 'fd00::1'];
  it.each<[string, Partial<Pod['spec']>, 4 | 6, readonly string[], readonly string[], readonly string[] | undefined]>([
    [
      'one per family, the primary family first',
      {},
      6,
      ['10.0.0.1'],
      ['10.1.0.2', '10.1.0.3', 'fd00::2'],
      ['fd00::2', '10.1.0.2'],
    ],
    ['IPv4 first, whatever the Node has', {}, 4, ['fd00::1'], ['fd00::2', '10.1.0.2'], ['10.1.0.2', 'fd00::2']],
    ['those of the Node for the network of the host', { hostNetwork: true }, 4, dual, [], dual],
    ['in the order of the Node there', { hostNetwork: true }, 4, ['fd00::1', '10.0.0.1'], [], ['fd00::1', '10.0.0.1']],
    [
      'those that it has there, and a second family',
      { hostNetwork: true },
      4,
      dual,
      ['10.0.0.9'],
      ['10.0.0.9', 'fd00::1'],
    ],
    ['no second one of the same family', { hostNetwork: true }, 4, dual, ['fd00::9'], ['fd00::9']],
    ['none yet', {}, 4, ['10.0.0.1'], [], undefined],
    ['none as long as the Node has none', { hostNetwork: true }, 4, [], [], undefined],
  ])('%s', (_name, spec, primaryFamily, hostIps, ips, expected) => {
    const status = generate({ pod: podWith(spec), hostIps, primaryFamily, runtime: { ips } });
    expect(status.podIPs?.map(({ ip }) => ip)).toEqual(expected);
    expect(status.podIP).toBe(expected?.[0]);
    expect(status.hostIPs?.map(({ ip }) => ip) ?? []).toEqual(hostIps);
    expect(status.hostIP).toBe(hostIps[0]);
  });

  it('keeps those of the host for a pod that has ended, and takes new ones for one that goes on', () => {
    const pod = podWith({ hostNetwork: true });
    const cached = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
    const shown = (part: Partial<ApiStatusInput>): unknown =>
      generate({ pod, cached, hostIps: ['10.0.0.2'], ...part }).podIPs;
    expect(shown({})).toEqual([{ ip: '10.0.0.2' }]);
    expect(shown({ terminal: true })).toEqual([{ ip: '10.0.0.1' }]);
    expect(shown({ cached: { ...cached, phase: 'Failed' } })).toEqual([{ ip: '10.0.0.1' }]);
  });

  it('keeps the addresses of a pod without a ready sandbox', () => {
    const cached = { podIP: '10.1.0.2', podIPs: [{ ip: '10.1.0.2' }] };
    const shown = (sandboxes: readonly PodSandboxStatus[], ips: readonly string[] = []) =>
      generate({ cached, runtime: { sandboxes, ips } }).podIPs?.map(({ ip }) => ip);
    expect(shown([])).toEqual(['10.1.0.2']);
    expect(shown([{ ...sandbox, state: PodSandboxState.SANDBOX_NOTREADY }])).toEqual(['10.1.0.2']);
    expect(shown([sandbox])).toBeUndefined();
    expect(shown([sandbox], ['10.1.0.9'])).toEqual(['10.1.0.9']);
  });

  it('takes the class from the API before it computes one', () => {
    expect(generate().qosClass).toBe('BestEffort');
    expect(generate({ pod: podWith({}, { qosClass: 'Burstable' }) }).qosClass).toBe('Burstable');
  });
});

it('an ephemeral container does not say whether it has started', () => {
  const pod = podWith({ ephemeralContainers: [{ name: 'dbg' }] });
  const runtime = { containers: [record('running'), { ...record('running'), id: 'c2', name: 'dbg' }] };
  const { containerStatuses, ephemeralContainerStatuses } = generate({ pod, runtime });
  expect(containerStatuses?.[0]).toHaveProperty('started');
  expect(ephemeralContainerStatuses?.[0]?.state?.running).toBeDefined();
  expect(ephemeralContainerStatuses?.[0]).not.toHaveProperty('started');
});
