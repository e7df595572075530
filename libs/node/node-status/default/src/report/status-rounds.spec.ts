import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nodes } from '@podwright/kube-client-interface';
import { VirtualClock } from '@podwright/time';
import { away, refusal } from '../fixtures/faulty-client.js';
import { ReporterBench } from '../fixtures/reporter-bench.js';
import { ReportSchedule } from './report-schedule.js';

let bench: ReporterBench;
beforeEach(async () => {
  bench = await ReporterBench.make();
});
afterEach(() => bench.tearDown());

/** A node that is registered and has had its first rounds. */
const settled = async (
  options: Parameters<ReporterBench['reporter']>[0] = {},
): ReturnType<ReporterBench['reporter']> => {
  const reporter = await bench.reporter(options);
  await reporter.start();
  await bench.clock.advance(12_000);
  bench.kubelet.calls.length = 0;
  bench.events.length = 0;
  return reporter;
};
const round = (): Promise<void> => bench.clock.advance(10_500);

describe('the rounds of the node status', () => {
  it('send nothing while nothing changes, but for a report each five minutes', async () => {
    await settled();
    await bench.clock.advance(900_000);
    // The first comes 2.5 to 7.5 minutes after the last change, the others each 5 minutes.
    const times = bench.kubelet.calls.map(({ call, atMs }) => [call, atMs] as const);
    expect(new Set(times.map(([call]) => call))).toEqual(new Set(['patch nodes/status']));
    const pauses = times.slice(1).map(([, atMs], index) => atMs - (times[index]?.[1] ?? 0));
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(300_000);
      expect(pause).toBeLessThan(311_000);
    }
    for (const { options } of bench.kubelet.calls) {
      expect(options).toMatchObject({ budget: 'heartbeat', timeoutMs: 10_000, subresource: 'status' });
    }
    // A report without a change is the times of the conditions.
    const { patch } = bench.kubelet.calls[0] ?? {};
    expect(patch?.type === 'strategic-merge' ? Object.keys(Object(patch.body).status as object).sort() : []).toEqual([
      '$setElementOrder/conditions',
      'conditions',
    ]);
  });

  it.each([
    [
      'MemoryPressure',
      'memory',
      'KubeletHasInsufficientMemory',
      'kubelet has insufficient memory available',
      'NodeHasInsufficientMemory',
      'KubeletHasSufficientMemory',
      'kubelet has sufficient memory available',
      'NodeHasSufficientMemory',
    ],
    [
      'DiskPressure',
      'disk',
      'KubeletHasDiskPressure',
      'kubelet has disk pressure',
      'NodeHasDiskPressure',
      'KubeletHasNoDiskPressure',
      'kubelet has no disk pressure',
      'NodeHasNoDiskPressure',
    ],
    [
      'PIDPressure',
      'pid',
      'KubeletHasInsufficientPID',
      'kubelet has insufficient PID available',
      'NodeHasInsufficientPID',
      'KubeletHasSufficientPID',
      'kubelet has sufficient PID available',
      'NodeHasSufficientPID',
    ],
  ] as const)(
    'tell %s when it comes and when it goes, each with an event',
    async (type, kind, reason, message, event, freeReason, freeMessage, freeEvent) => {
      await settled();
      const before = await bench.condition(type);
      expect(before).toMatchObject({ status: 'False', reason: freeReason, message: freeMessage });
      bench.pressed = { ...bench.pressed, [kind]: true };
      await round();
      const pressed = await bench.condition(type);
      expect(pressed).toMatchObject({ status: 'True', reason, message });
      expect(pressed?.lastTransitionTime).not.toBe(before?.lastTransitionTime);
      await round();
      expect((await bench.condition(type))?.lastTransitionTime).toBe(pressed?.lastTransitionTime);
      bench.pressed = { ...bench.pressed, [kind]: false };
      await round();
      expect(await bench.condition(type)).toMatchObject({ status: 'False', reason: freeReason, message: freeMessage });
      expect(bench.events).toEqual([
        `Normal ${event} Node n1 status is now: ${event}`,
        `Normal ${freeEvent} Node n1 status is now: ${freeEvent}`,
      ]);
      expect(bench.patches()).toBe(2);
    },
  );

  it.each([
    [['container runtime is down'], [], undefined, 'container runtime is down'],
    [[], ['network state unknown'], undefined, 'network state unknown'],
    [
      ['a', 'PLEG is not healthy: b'],
      ['c', 'a'],
      'node is shutting down',
      '[a, PLEG is not healthy: b, c, node is shutting down]',
    ],
  ])('tell Ready false for %j, %j, %j', async (runtime, network, shutdown, message) => {
    await settled();
    [bench.runtimeErrors, bench.networkErrors, bench.shutdownError] = [runtime, network, shutdown];
    await round();
    expect(await bench.condition('Ready')).toMatchObject({ status: 'False', reason: 'KubeletNotReady', message });
    [bench.runtimeErrors, bench.networkErrors, bench.shutdownError] = [[], [], undefined];
    await round();
    expect(await bench.condition('Ready')).toMatchObject({
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
    });
    expect(bench.events).toEqual([
      'Normal NodeNotReady Node n1 status is now: NodeNotReady',
      'Normal NodeReady Node n1 status is now: NodeReady',
    ]);
  });

  it('tell a shutdown at once', async () => {
    await settled();
    bench.announceShutdown('node is shutting down');
    await bench.clock.advance(10);
    expect(await bench.condition('Ready')).toMatchObject({ status: 'False', message: 'node is shutting down' });
  });

  it('follow changes of what the node shows', async () => {
    await settled({ nodeStatusMaxImages: 2, featureGates: ['NodeDeclaredFeatures', 'ExtendWebSocketsToKubelet'] });
    const tags = ['t1', 't2', 't3', 't4'];
    bench.images = async () => [
      { id: 'small', repoDigests: [], repoTags: ['small:1'], size: 1n },
      { id: 'a', repoDigests: ['a@sha256:1', 'a@sha256:2'], repoTags: tags, size: 20n },
      { id: 'b', repoDigests: [], repoTags: ['b:1'], size: 20n },
    ];
    bench.features = { supplementalGroupsPolicy: true, userNamespacesHostNetwork: false };
    bench.handlers = [
      { name: 'runc', features: undefined },
      { name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } },
    ];
    bench.volumes = ['kubernetes.io/csi/x^1'];
    bench.version = async () => 'v2.2.0-rc.1';
    await bench.clock.advance(42_000);
    expect((await bench.node())?.status).toMatchObject({
      images: [
        { names: ['b:1'], sizeBytes: 20 },
        { names: ['a@sha256:1', 'a@sha256:2', 't1', 't2', 't3'], sizeBytes: 20 },
      ],
      features: { supplementalGroupsPolicy: true },
      runtimeHandlers: [
        { name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } },
        { name: 'runc', features: { recursiveReadOnlyMounts: false, userNamespaces: false } },
      ],
      volumesInUse: ['kubernetes.io/csi/x^1'],
      nodeInfo: { containerRuntimeVersion: 'containerd://2.2.0-rc.1' },
      declaredFeatures: ['ExtendWebSocketsToKubelet'],
    });
    bench.images = () => Promise.reject(new Error('no'));
    bench.version = () => Promise.reject(new Error('no'));
    await bench.clock.advance(42_000);
    const { status } = (await bench.node()) ?? {};
    expect([status?.images?.length, status?.nodeInfo?.containerRuntimeVersion]).toEqual([2, 'containerd://Unknown']);
  });

  it('are not held up by a runtime or a resolver that hangs', async () => {
    await settled();
    bench.version = () => new Promise(() => undefined);
    bench.pressed = { ...bench.pressed, memory: true };
    await bench.clock.advance(12_500);
    expect(await bench.condition('MemoryPressure')).toMatchObject({ status: 'True' });
    expect((await bench.node())?.status?.nodeInfo?.containerRuntimeVersion).toBe('containerd://2.1.0');
  });

  it('keep what others put on the node, and repair the labels of the platform', async () => {
    await settled();
    await bench.patchNode({
      metadata: { labels: { 'kubernetes.io/os': 'plan9', mine: 'x' } },
      spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] },
    });
    const node = await bench.node();
    const capacity = { ...node?.status?.capacity, 'example.com/dongle': '4' };
    await bench.admin.update(nodes, { ...node, status: { ...node?.status, capacity } }, { subresource: 'status' });
    await round();
    const after = await bench.node();
    expect(after?.metadata?.labels).toMatchObject({ 'kubernetes.io/os': 'linux', mine: 'x' });
    expect(after?.status?.capacity).toMatchObject({ 'example.com/dongle': '4', cpu: '4' });
    expect(after?.status?.allocatable).toMatchObject({ 'example.com/dongle': '4' });
    expect(bench.podCidrs).toEqual(['10.1.0.0/24']);
  });

  it.each([
    [
      false,
      [
        { type: 'InternalIP', address: '192.0.2.7' },
        { type: 'Hostname', address: 'n1' },
      ],
    ],
    [
      true,
      [
        { type: 'ExternalIP', address: '203.0.113.1' },
        { type: 'InternalIP', address: '203.0.113.2' },
      ],
    ],
  ])(
    'leave addresses of a cloud provider alone where there is one (%s), else replace them as a whole',
    async (external, expected) => {
      await settled({ externalCloudProvider: external });
      expect((await bench.node())?.status?.addresses).toEqual(
        external
          ? [{ type: 'Hostname', address: 'n1' }]
          : [
              { type: 'InternalIP', address: '192.0.2.7' },
              { type: 'Hostname', address: 'n1' },
            ],
      );
      const addresses = [
        { type: 'ExternalIP', address: '203.0.113.1' },
        { type: 'InternalIP', address: '203.0.113.2' },
      ];
      const node = await bench.node();
      await bench.admin.update(nodes, { ...node, status: { ...node?.status, addresses } }, { subresource: 'status' });
      await round();
      expect((await bench.node())?.status?.addresses).toEqual(expected);
    },
  );

  it('record when the node is cordoned and uncordoned', async () => {
    await settled();
    await bench.patchNode({ spec: { unschedulable: true } });
    await round();
    await bench.patchNode({ spec: { unschedulable: null } });
    await round();
    expect(bench.events).toEqual([
      'Normal NodeNotSchedulable Node n1 status is now: NodeNotSchedulable',
      'Normal NodeSchedulable Node n1 status is now: NodeSchedulable',
    ]);
  });

  it('tell once that the machine was rebooted', async () => {
    await bench.createNode({ status: { nodeInfo: { bootID: 'boot-0' } as never } });
    const reporter = await bench.reporter();
    await reporter.start();
    await bench.clock.advance(30_000);
    expect(bench.events.filter((event) => event.includes('Rebooted'))).toEqual([
      'Warning Rebooted Node n1 has been rebooted, boot id: boot-1',
    ]);
    expect((await bench.node())?.status?.nodeInfo?.bootID).toBe('boot-1');
  });

  it('log a part that cannot be filled in once, and send the rest', async () => {
    await settled({ nodeIps: ['198.51.100.9'] });
    bench.pressed = { ...bench.pressed, disk: true };
    await round();
    expect(await bench.condition('DiskPressure')).toMatchObject({ status: 'True' });
    const errors = bench.logger.entries.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ message: 'Failed to set some node status fields', fields: { part: 'addresses' } }]);
  });
});

describe('a round that fails', () => {
  it('tries five times: from the watch, then from the API server, with fresh connections from the second failure on', async () => {
    await settled();
    bench.pressed = { ...bench.pressed, memory: true };
    bench.kubelet.fault = (call) => (call === 'patch nodes/status' ? away() : undefined);
    await bench.clock.runUntil(() => bench.kubelet.calls.length === 9, 12_000);
    expect(bench.kubelet.names()).toEqual([
      'patch nodes/status',
      ...new Array<string[]>(4).fill(['get nodes', 'patch nodes/status']).flat(),
    ]);
    expect(bench.kubelet.closed).toBe(4);
    expect(bench.logger.messages('error')).toEqual([
      'Unable to update node status: update node status exceeds retry count',
    ]);
    bench.kubelet.fault = () => undefined;
    await round();
    expect(await bench.condition('MemoryPressure')).toMatchObject({ status: 'True' });
    expect(bench.logger.messages('info')).toContain('The node status is updated again');
  });

  it('outlives a storm of conflicts', async () => {
    const reporter = await settled();
    bench.pressed = { ...bench.pressed, memory: true };
    let conflicts = 0;
    bench.kubelet.fault = (call) =>
      call === 'patch nodes/status' && conflicts++ < 12 ? refusal(409, 'aborted', 'modified') : undefined;
    await bench.clock.advance(32_000);
    expect(await bench.condition('MemoryPressure')).toMatchObject({ status: 'True' });
    expect(reporter.healthy()).toEqual({ ok: true });
    expect(bench.logger.messages('error')).toHaveLength(1);
  });
});

describe('the node that starts', () => {
  it('is ready as soon as the runtime is, not with the next round', async () => {
    bench.networkErrors = ['container runtime network not ready'];
    const reporter = await bench.reporter();
    await reporter.start();
    await bench.clock.advance(3_000);
    expect(await bench.condition('Ready')).toMatchObject({ status: 'False' });
    expect(bench.refreshes).toBeGreaterThan(20);
    bench.networkErrors = [];
    await bench.clock.advance(150);
    expect(await bench.condition('Ready')).toMatchObject({ status: 'True' });
    const refreshes = bench.refreshes;
    await bench.clock.advance(30_000);
    expect(bench.refreshes).toBe(refreshes);
  });

  it('stops hurrying after two minutes', async () => {
    bench.networkErrors = ['container runtime network not ready'];
    const reporter = await bench.reporter();
    await reporter.start();
    await bench.clock.advance(121_000);
    const refreshes = bench.refreshes;
    await bench.clock.advance(20_000);
    expect(bench.refreshes).toBe(refreshes);
    expect(bench.logger.messages('error')).toEqual(['Node not becoming ready in time after startup']);
    bench.networkErrors = [];
    await round();
    expect(await bench.condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('leaves no timer when it stops', async () => {
    const reporter = await settled();
    await reporter.stop();
    bench.kubelet.calls.length = 0;
    reporter.requestUpdate();
    await bench.clock.advance(400_000);
    expect(bench.kubelet.calls).toEqual([]);
  });
});

describe('the schedule of reports', () => {
  // Upstream's table: what happened before, and when the next report without a change is due.
  it.each([
    ['at the start, whatever the delay', [], 0, true],
    ['right after a change', [0.5], 299_999, false],
    ['one period after a change', [0.5], 300_000, true],
    ['half a period after a change at the earliest', [0], 150_000, true],
    ['', [0], 149_999, false],
    ['one and a half periods after a change at the latest', [0.999_999], 449_999, false],
    ['', [0.999_999], 450_000, true],
  ])('%s', async (_name, chances, afterMs, expected) => {
    const clock = new VirtualClock();
    const left = [...chances];
    const schedule = new ReportSchedule(clock, { next: () => left.shift() ?? 0.5, hex: () => '' }, 300_000);
    if (chances.length > 0) {
      expect(schedule.due(true)).toBe(true);
      schedule.reported();
    }
    await clock.advance(afterMs);
    expect(schedule.due(false)).toBe(expected);
  });

  it('keeps to the period once it has reported because of it', async () => {
    const clock = new VirtualClock();
    const schedule = new ReportSchedule(clock, { next: () => 0, hex: () => '' }, 300_000);
    schedule.due(true);
    schedule.reported();
    await clock.advance(150_000);
    expect(schedule.due(false)).toBe(true);
    schedule.reported();
    await clock.advance(299_999);
    expect(schedule.due(false)).toBe(false);
    await clock.advance(1);
    expect(schedule.due(false)).toBe(true);
  });
});
