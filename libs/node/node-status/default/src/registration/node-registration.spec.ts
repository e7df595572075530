import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { away, refusal } from '../fixtures/faulty-client.js';
import { ReporterHarness } from '../fixtures/reporter-harness.js';

let harness: ReporterHarness;
beforeEach(async () => {
  harness = await ReporterHarness.make();
});
afterEach(() => harness.tearDown());

const creations = (): readonly number[] =>
  harness.kubelet.calls.filter(({ call }) => call === 'create nodes').map(({ atMs }) => atMs);

describe('the registration of the node', () => {
  it('sends what the node is: labels, taints, annotation, provider and a first status', async () => {
    await harness.addHugePages(2_048, 8);
    const reporter = await harness.reporter({
      nodeLabels: { zone: 'a', 'beta.kubernetes.io/arch': 'other' },
      registerWithTaints: [{ key: 'dedicated', value: 'x', effect: 'NoExecute' }],
      externalCloudProvider: true,
      nodeIps: ['192.0.2.7'],
      providerId: 'cloud://1',
      port: 12_345,
    });
    await reporter.start();
    await harness.clock.advance(150);
    expect(creations()).toEqual([0]);
    expect(await harness.node()).toMatchObject({
      metadata: {
        labels: {
          'kubernetes.io/hostname': 'n1',
          'kubernetes.io/os': 'linux',
          'beta.kubernetes.io/os': 'linux',
          'beta.kubernetes.io/arch': 'other',
          zone: 'a',
        },
        annotations: {
          'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
          'alpha.kubernetes.io/provided-node-ip': '192.0.2.7',
        },
      },
      spec: {
        providerID: 'cloud://1',
        taints: expect.arrayContaining([
          { key: 'dedicated', value: 'x', effect: 'NoExecute' },
          { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
        ]) as never,
      },
      status: {
        addresses: [
          { type: 'InternalIP', address: '192.0.2.7' },
          { type: 'Hostname', address: 'n1' },
        ],
        capacity: { cpu: '4', memory: '8Gi', 'hugepages-2Mi': '16Mi', pods: '110' },
        allocatable: { memory: '8176Mi', 'hugepages-2Mi': '16Mi' },
        daemonEndpoints: { kubeletEndpoint: { Port: 12_345 } },
        nodeInfo: {
          machineID: 'machine-1',
          systemUUID: 'machine-1',
          bootID: 'boot-1',
          osImage: 'Test Linux',
          containerRuntimeVersion: 'containerd://2.1.0',
          kubeletVersion: 'v1.36.0',
          kubeProxyVersion: '',
          operatingSystem: 'linux',
        },
      },
    });
  });

  it('goes on for as long as the API server is away, up to each 7 s, and says so once', async () => {
    harness.kubelet.fault = away;
    const reporter = await harness.reporter();
    await reporter.start();
    await harness.clock.advance(300_000);
    const pauses = creations().map((atMs, index, all) => atMs - (all[index - 1] ?? 0));
    expect(pauses.slice(0, 10)).toEqual([0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 7_000, 7_000]);
    expect(reporter.healthy()).toEqual({ ok: false, reason: 'the node is not registered: connection refused' });
    expect(harness.logger.entries.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        message: 'Unable to register node with API server',
        fields: { advice: expect.stringContaining('livez') as never },
      },
    ]);
    harness.kubelet.fault = () => undefined;
    await harness.clock.advance(8_000);
    expect(reporter.healthy()).toEqual({ ok: true });
    expect(harness.logger.messages('info')).toEqual(
      expect.arrayContaining(['Successfully registered node', 'The node is registered at last']),
    );
    expect(await harness.condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('tells what helps when the credentials are those of another node', async () => {
    harness.kubelet.fault = (call) =>
      call === 'create nodes'
        ? refusal(403, 'permission-denied', 'node "n2" is not allowed to modify node "n1"')
        : undefined;
    const reporter = await harness.reporter();
    await reporter.start();
    await harness.clock.advance(60_000);
    // Who may not create may still find the node that somebody else has created.
    expect(harness.kubelet.names().slice(0, 2)).toEqual(['create nodes', 'get nodes']);
    const errors = harness.logger.entries.filter(({ severity }) => severity === 'error');
    expect(errors).toHaveLength(1);
    expect(String(errors[0]?.fields['advice'])).toContain('system:node:n1');
    expect(String(errors[0]?.fields['error'])).toContain('is not allowed');
    await harness.createNode();
    await harness.clock.advance(8_000);
    expect(reporter.registered()).toBe(true);
    expect(await harness.condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('does not look for a node when the gate says that a refusal is final', async () => {
    harness.kubelet.fault = (call) => (call === 'create nodes' ? refusal(403, 'permission-denied') : undefined);
    const reporter = await harness.reporter({ getOnExistsOnly: true });
    await reporter.start();
    await harness.clock.advance(30_000);
    expect(new Set(harness.kubelet.names())).toEqual(new Set(['create nodes']));
    expect(harness.logger.messages('error')).toEqual(['Unable to register node with API server, reason is forbidden']);
  });

  it('brings a node that exists up to date, and leaves alone what is not its own', async () => {
    await harness.addHugePages(2_048, 4);
    await harness.createNode({
      metadata: {
        labels: { 'kubernetes.io/hostname': 'old', 'topology.kubernetes.io/zone': 'old', mine: 'stays' },
        annotations: { mine: 'stays' },
      },
      status: {
        capacity: { cpu: '1', memory: '1Gi', 'hugepages-1Gi': '1Gi', 'example.com/gpu': '2', 'hugepages-2Mi': '2Mi' },
        allocatable: {
          cpu: '1',
          memory: '1Gi',
          'hugepages-1Gi': '1Gi',
          'example.com/gpu': '2',
          'hugepages-2Mi': '2Mi',
        },
      },
    });
    const reporter = await harness.reporter({
      nodeLabels: { 'topology.kubernetes.io/zone': 'b', other: 'not reconciled' },
      registerWithTaints: [{ key: 'late', effect: 'NoExecute' }],
    });
    await reporter.start();
    await harness.clock.advance(150);
    const node = await harness.node();
    expect(node?.metadata?.labels).toMatchObject({
      'kubernetes.io/hostname': 'n1',
      'topology.kubernetes.io/zone': 'b',
      'kubernetes.io/os': 'linux',
      mine: 'stays',
    });
    expect(node?.metadata?.labels).not.toHaveProperty('other');
    expect(node?.metadata?.annotations).toEqual({
      mine: 'stays',
      'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
    });
    expect(node?.spec?.taints?.some(({ key }) => key === 'late') ?? false).toBe(false);
    // Sizes of the machine, none of others; devices start at none.
    expect(node?.status?.capacity).toMatchObject({ 'hugepages-2Mi': '8Mi', 'example.com/gpu': '0' });
    expect(node?.status?.allocatable).toMatchObject({ 'hugepages-2Mi': '8Mi', 'example.com/gpu': '0' });
    expect(node?.status?.capacity).not.toHaveProperty('hugepages-1Gi');
    expect(node?.status?.allocatable).not.toHaveProperty('hugepages-1Gi');
    expect(harness.logger.messages('info')).toContain('Node was previously registered');
  });

  it('takes the annotation away when the kubelet is to attach volumes itself', async () => {
    await harness.createNode({
      metadata: { annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true', mine: 'stays' } },
    });
    const reporter = await harness.reporter({ enableControllerAttachDetach: false });
    await reporter.start();
    await harness.clock.advance(1_000);
    expect((await harness.node())?.metadata?.annotations).toEqual({ mine: 'stays' });
  });

  it('is left to others with registerNode: false; the status follows once there is a node', async () => {
    const reporter = await harness.reporter({ registerNode: false });
    await reporter.start();
    await harness.clock.advance(25_000);
    expect(creations()).toEqual([]);
    expect(reporter.registered()).toBe(false);
    expect(harness.logger.messages('error')).toEqual([
      'Unable to update node status: update node status exceeds retry count',
    ]);
    await harness.createNode();
    await harness.clock.advance(11_000);
    expect(reporter.registered()).toBe(true);
    expect(await harness.condition('Ready')).toMatchObject({ status: 'True' });
    expect(harness.logger.messages('info')).toContain('The node status is updated again');
  });

  it('happens once: a node that is deleted stays away until the kubelet starts anew or somebody makes it', async () => {
    const reporter = await harness.reporter();
    await reporter.start();
    await harness.clock.advance(15_000);
    await harness.deleteNode();
    await harness.clock.advance(60_000);
    expect(creations()).toHaveLength(1);
    expect(await harness.node()).toBeUndefined();
    const failure = harness.logger.entries.find(({ severity }) => severity === 'error');
    expect(String(failure?.fields['advice'])).toContain('kubectl get node n1');
    await harness.createNode();
    await harness.clock.advance(11_000);
    expect(await harness.condition('Ready')).toMatchObject({ status: 'True' });
    expect((await harness.node())?.metadata?.labels).toMatchObject({ 'kubernetes.io/os': 'linux' });
    expect(creations()).toHaveLength(1);
  });

  it('tells how long a new node took, and nothing of one that existed', async () => {
    harness.runtimeErrors = ['container runtime is down'];
    harness.kubelet.fault = away;
    const reporter = await harness.reporter();
    await reporter.start();
    await harness.clock.advance(50);
    harness.kubelet.fault = () => undefined;
    await harness.clock.advance(4_950);
    const seconds = async (phase: string): Promise<number> => {
      const line = new RegExp(`^kubelet_node_startup${phase}_duration_seconds (\\S+)$`, 'm');
      return Number(line.exec(await harness.metrics.render())?.[1]);
    };
    expect(await seconds('_pre_kubelet')).toBe(60);
    expect(await seconds('_registration')).toBeCloseTo(0.1, 3);
    expect(await seconds('_post_registration')).toBe(0);
    harness.runtimeErrors = [];
    await harness.clock.advance(5_000);
    expect(await seconds('_post_registration')).toBeGreaterThan(4.5);
    expect(await seconds('')).toBeGreaterThan(64);
  });
});
