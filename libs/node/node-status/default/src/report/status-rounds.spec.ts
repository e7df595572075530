import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nodes } from '@podwright/kube-client-interface';
import { VirtualClock } from '@podwright/time';
import { away, refusal } from '../fixtures/faulty-client.js';
import { ReporterHarness } from '../fixtures/reporter-harness.js';
import { ReportSchedule } from './report-schedule.js';

let harness: ReporterHarness;
beforeEach(async () => {
  harness = await ReporterHarness.make();
});
afterEach(() => harness.tearDown());

/** A node that is registered and has had its first rounds. */
const settled = async (
  options: Parameters<ReporterHarness['reporter']>[0] = {},
): ReturnType<ReporterHarness['reporter']> => {
  const reporter = await harness.reporter(options);
  await reporter.start();
  await harness.clock.advance(12_000);
  harness.kubelet.calls.length = 0;
  harness.events.length = 0;
  return reporter;
};
const round = (): Promise<void> => harness.clock.advance(10_500);

describe('the rounds of the node status', () => {
  it('send nothing while nothing changes, but for a report each five minutes', async () => {
    await settled();
    await harness.clock.advance(900_000);
    // The first comes 2.5 to 7.5 minutes after the last change, the others each 5 minutes.
    const times = harness.kubelet.calls.map(({ call, atMs }) => [call, atMs] as const);
    expect(new Set(times.map(([call]) => call))).toEqual(new Set(['patch nodes/status']));
    const pauses = times.slice(1).map(([, atMs], index) => atMs - (times[index]?.[1] ?? 0));
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(300_000);
      expect(pause).toBeLessThan(311_000);
    }
    for (const { options } of harness.kubelet.calls) {
      expect(options).toMatchObject({ budget: 'heartbeat', timeoutMs: 10_000, subresource: 'status' });
    }
    // A report without a change is the times of the conditions.
    const { patch } = harness.kubelet.calls[0] ?? {};
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
      const before = await harness.condition(type);
      expect(before).toMatchObject({ status: 'False', reason: freeReason, message: freeMessage });
      harness.pressed = { ...harness.pressed, [kind]: true };
      await round();
      const pressed = await harness.condition(type);
      expect(pressed).toMatchObject({ status: 'True', reason, message });
      expect(pressed?.lastTransitionTime).not.toBe(before?.lastTransitionTime);
      await round();
      expect((await harness.condition(type))?.lastTransitionTime).toBe(pressed?.lastTransitionTime);
      harness.pressed = { ...harness.pressed, [kind]: false };
      await round();
      expect(await harness.condition(type)).toMatchObject({
        status: 'False',
        reason: freeReason,
        message: freeMessage,
      });
      expect(harness.events).toEqual([
        `Normal ${event} Node n1 status is now: ${event}`,
        `Normal ${freeEvent} Node n1 status is now: ${freeEvent}`,
      ]);
      expect(harness.patches()).toBe(2);
    },
  );

  it.each([
    [['container runtime is down'], [], undefined, undefined, 'container runtime is down'],
    [[], ['network state unknown'], undefined, undefined, 'network state unknown'],
    [[], [], 'CSINode is not yet initialized', undefined, 'CSINode is not yet initialized'],
    [
      ['a', 'PLEG is not healthy: b'],
      ['c', 'a'],
      'd',
      'node is shutting down',
      '[a, PLEG is not healthy: b, c, d, node is shutting down]',
    ],
  ])('tell Ready false for %j, %j, %j, %j', async (runtime, network, check, shutdown, message) => {
    await settled();
    [harness.runtimeErrors, harness.networkErrors, harness.shutdownError] = [runtime, network, shutdown];
    harness.notReady = check;
    await round();
    expect(await harness.condition('Ready')).toMatchObject({ status: 'False', reason: 'KubeletNotReady', message });
    [harness.runtimeErrors, harness.networkErrors, harness.shutdownError] = [[], [], undefined];
    harness.notReady = undefined;
    await round();
    expect(await harness.condition('Ready')).toMatchObject({
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
    });
    expect(harness.events).toEqual([
      'Normal NodeNotReady Node n1 status is now: NodeNotReady',
      'Normal NodeReady Node n1 status is now: NodeReady',
    ]);
    const ready = harness.journal.of('node.condition').filter(({ type }) => type === 'Ready');
    expect(ready.slice(-2)).toMatchObject([
      { status: 'False', message },
      { status: 'True', reason: 'KubeletReady' },
    ]);
  });

  it('tell a shutdown at once', async () => {
    await settled();
    harness.announceShutdown('node is shutting down');
    await harness.clock.advance(10);
    expect(await harness.condition('Ready')).toMatchObject({ status: 'False', message: 'node is shutting down' });
  });

  it('follow changes of what the node shows', async () => {
    await settled({ nodeStatusMaxImages: 2, featureGates: ['NodeDeclaredFeatures', 'ExtendWebSocketsToKubelet'] });
    const tags = ['t1', 't2', 't3', 't4'];
    harness.images = async () => [
      { id: 'small', repoDigests: [], repoTags: ['small:1'], size: 1n },
      { id: 'a', repoDigests: ['a@sha256:1', 'a@sha256:2'], repoTags: tags, size: 20n },
      { id: 'b', repoDigests: [], repoTags: ['b:1'], size: 20n },
    ];
    harness.features = { supplementalGroupsPolicy: true, userNamespacesHostNetwork: false };
    harness.handlers = [
      { name: 'runc', features: undefined },
      { name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } },
    ];
    harness.volumes = ['kubernetes.io/csi/x^1'];
    harness.version = async () => 'v2.2.0-rc.1';
    await harness.clock.advance(42_000);
    expect((await harness.node())?.status).toMatchObject({
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
    harness.images = () => Promise.reject(new Error('no'));
    harness.version = () => Promise.reject(new Error('no'));
    await harness.clock.advance(42_000);
    const { status } = (await harness.node()) ?? {};
    expect([status?.images?.length, status?.nodeInfo?.containerRuntimeVersion]).toEqual([2, 'containerd://Unknown']);
  });

  it('leave the volumes in use of an earlier kubelet until this one knows its own', async () => {
    const inUse = ['kubernetes.io/csi/x^1'];
    await harness.createNode({ status: { volumesInUse: inUse } });
    await settled();
    expect((await harness.node())?.status?.volumesInUse).toEqual(inUse);
    expect(new Set(harness.reportedVolumes)).toEqual(new Set(inUse));
    harness.setVolumes([]);
    await harness.clock.advance(10);
    expect((await harness.node())?.status?.volumesInUse ?? []).toEqual([]);
    expect(harness.reportedVolumes.at(-1)).toBe('');
  });

  it('report a change of the volumes in use at once, and confirm what the API server has', async () => {
    harness.volumes = [];
    await settled();
    harness.reportedVolumes.length = 0;
    harness.setVolumes(['kubernetes.io/csi/x^1', 'kubernetes.io/csi/x^2']);
    await harness.clock.advance(10);
    expect((await harness.node())?.status?.volumesInUse).toEqual(['kubernetes.io/csi/x^1', 'kubernetes.io/csi/x^2']);
    expect(harness.reportedVolumes).toEqual(['kubernetes.io/csi/x^1,kubernetes.io/csi/x^2']);
    await round();
    expect(harness.patches()).toBe(1);
    expect(harness.reportedVolumes.slice(1)).toEqual(['kubernetes.io/csi/x^1,kubernetes.io/csi/x^2']);
  });

  it('confirm no volumes while the API server refuses the status', async () => {
    harness.volumes = [];
    await settled();
    harness.reportedVolumes.length = 0;
    harness.kubelet.fault = (call) => (call === 'patch nodes/status' ? away() : undefined);
    harness.setVolumes(['kubernetes.io/csi/x^1']);
    await round();
    expect(harness.reportedVolumes).toEqual([]);
    harness.kubelet.fault = () => undefined;
    await round();
    expect(harness.reportedVolumes).toEqual(['kubernetes.io/csi/x^1']);
  });

  it('are not held up by a runtime or a resolver that hangs', async () => {
    await settled();
    harness.version = () => new Promise(() => undefined);
    harness.pressed = { ...harness.pressed, memory: true };
    await harness.clock.advance(12_500);
    expect(await harness.condition('MemoryPressure')).toMatchObject({ status: 'True' });
    expect((await harness.node())?.status?.nodeInfo?.containerRuntimeVersion).toBe('containerd://2.1.0');
  });

  it('keep what others put on the node, and repair the labels of the platform', async () => {
    await settled();
    await harness.patchNode({
      metadata: { labels: { 'kubernetes.io/os': 'plan9', mine: 'x' } },
      spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] },
    });
    const node = await harness.node();
    const capacity = { ...node?.status?.capacity, 'example.com/dongle': '4' };
    await harness.admin.update(nodes, { ...node, status: { ...node?.status, capacity } }, { subresource: 'status' });
    await round();
    const after = await harness.node();
    expect(after?.metadata?.labels).toMatchObject({ 'kubernetes.io/os': 'linux', mine: 'x' });
    expect(after?.status?.capacity).toMatchObject({ 'example.com/dongle': '4', cpu: '4' });
    expect(after?.status?.allocatable).toMatchObject({ 'example.com/dongle': '4' });
    expect(harness.podCidrs).toEqual(['10.1.0.0/24']);
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
      expect((await harness.node())?.status?.addresses).toEqual(
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
      const node = await harness.node();
      await harness.admin.update(nodes, { ...node, status: { ...node?.status, addresses } }, { subresource: 'status' });
      await round();
      expect((await harness.node())?.status?.addresses).toEqual(expected);
    },
  );

  it('record when the node is cordoned and uncordoned', async () => {
    await settled();
    await harness.patchNode({ spec: { unschedulable: true } });
    await round();
    await harness.patchNode({ spec: { unschedulable: null } });
    await round();
    expect(harness.events).toEqual([
      'Normal NodeNotSchedulable Node n1 status is now: NodeNotSchedulable',
      'Normal NodeSchedulable Node n1 status is now: NodeSchedulable',
    ]);
  });

  it('tell once that the machine was rebooted', async () => {
    await harness.createNode({ status: { nodeInfo: { bootID: 'boot-0' } as never } });
    const reporter = await harness.reporter();
    await reporter.start();
    await harness.clock.advance(30_000);
    expect(harness.events.filter((event) => event.includes('Rebooted'))).toEqual([
      'Warning Rebooted Node n1 has been rebooted, boot id: boot-1',
    ]);
    expect((await harness.node())?.status?.nodeInfo?.bootID).toBe('boot-1');
  });

  it('log a part that cannot be filled in once, and send the rest', async () => {
    await settled({ nodeIps: ['198.51.100.9'] });
    harness.pressed = { ...harness.pressed, disk: true };
    await round();
    expect(await harness.condition('DiskPressure')).toMatchObject({ status: 'True' });
    const errors = harness.logger.entries.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ message: 'Failed to set some node status fields', fields: { part: 'addresses' } }]);
  });
});

describe('a round that fails', () => {
  it('tries five times: from the watch, then from the API server, with fresh connections from the second failure on', async () => {
    await settled();
    harness.pressed = { ...harness.pressed, memory: true };
    harness.kubelet.fault = (call) => (call === 'patch nodes/status' ? away() : undefined);
    await harness.clock.runUntil(() => harness.kubelet.calls.length === 9, 12_000);
    expect(harness.kubelet.names()).toEqual([
      'patch nodes/status',
      ...new Array<string[]>(4).fill(['get nodes', 'patch nodes/status']).flat(),
    ]);
    expect(harness.kubelet.closed).toBe(4);
    expect(harness.logger.messages('error')).toEqual([
      'Unable to update node status: update node status exceeds retry count',
    ]);
    harness.kubelet.fault = () => undefined;
    await round();
    expect(await harness.condition('MemoryPressure')).toMatchObject({ status: 'True' });
    expect(harness.logger.messages('info')).toContain('The node status is updated again');
    expect(harness.journal.of('node.status.failed')).toHaveLength(1);
    const [accepted, ...more] = harness.journal.of('node.status.accepted');
    expect(accepted?.failedMs).toBeGreaterThan(0);
    expect(more).toEqual([]);
  });

  it('outlives a storm of conflicts', async () => {
    const reporter = await settled();
    harness.pressed = { ...harness.pressed, memory: true };
    let conflicts = 0;
    harness.kubelet.fault = (call) =>
      call === 'patch nodes/status' && conflicts++ < 12 ? refusal(409, 'aborted', 'modified') : undefined;
    await harness.clock.advance(32_000);
    expect(await harness.condition('MemoryPressure')).toMatchObject({ status: 'True' });
    expect(reporter.healthy()).toEqual({ ok: true });
    expect(harness.logger.messages('error')).toHaveLength(1);
  });
});

describe('the node that starts', () => {
  it('is ready as soon as the runtime is, not with the next round', async () => {
    harness.networkErrors = ['container runtime network not ready'];
    const reporter = await harness.reporter();
    await reporter.start();
    await harness.clock.advance(3_000);
    expect(await harness.condition('Ready')).toMatchObject({ status: 'False' });
    expect(harness.refreshes).toBeGreaterThan(20);
    harness.networkErrors = [];
    await harness.clock.advance(150);
    expect(await harness.condition('Ready')).toMatchObject({ status: 'True' });
    const refreshes = harness.refreshes;
    await harness.clock.advance(30_000);
    expect(harness.refreshes).toBe(refreshes);
  });

  it('stops hurrying after two minutes', async () => {
    harness.networkErrors = ['container runtime network not ready'];
    const reporter = await harness.reporter();
    await reporter.start();
    await harness.clock.advance(121_000);
    const refreshes = harness.refreshes;
    await harness.clock.advance(20_000);
    expect(harness.refreshes).toBe(refreshes);
    expect(harness.logger.messages('error')).toEqual(['Node not becoming ready in time after startup']);
    harness.networkErrors = [];
    await round();
    expect(await harness.condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('leaves no timer when it stops', async () => {
    const reporter = await settled();
    await reporter.stop();
    harness.kubelet.calls.length = 0;
    reporter.requestUpdate();
    await harness.clock.advance(400_000);
    expect(harness.kubelet.calls).toEqual([]);
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
