import { afterEach, describe, expect, it } from '@jest/globals';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import { MemoryPodSource } from './memory-pod-source.js';
import { SimulatedNode, type SimulatedNodeOptions } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

const container = (part: Partial<Container> = {}): Container => ({
  name: 'main',
  image: 'registry.test/main:1',
  imagePullPolicy: 'IfNotPresent',
  ...part,
});
const asking = (requests: Readonly<Record<string, string>>): Partial<PodSpec> => ({
  containers: [container({ resources: { requests, limits: requests } })],
});
const hostPort = { containers: [container({ ports: [{ containerPort: 80, hostPort: 8080 }] })] };
const labelled = (pod: Pod, labels: Readonly<Record<string, string>>): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, labels },
});

interface Refusal {
  readonly reason: string;
  readonly message: string;
  readonly pod: Pod;
  /** Pods that are there before. */
  readonly before?: readonly Pod[];
  readonly configuration?: Partial<KubeletConfiguration>;
  readonly runtime?: SimulatedNodeOptions['runtime'];
  /** Default: api. */
  readonly source?: 'api' | 'file';
}

const refused = (spec: Partial<PodSpec>): Pod => simulatedPod('refused', spec);
const short = (resource: string, requested: number | bigint, used: number, capacity: number | string): string =>
  `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }];

const refusals: readonly Refusal[] = [
  {
    reason: 'SysctlForbidden',
    message: 'forbidden sysctl: "kernel.msgmax" not allowlisted',
    pod: refused({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
  },
  {
    reason: 'PodOSSelectorNodeLabelDoesNotMatch',
    message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    pod: labelled(refused({}), { 'kubernetes.io/os': 'windows' }),
  },
  {
    reason: 'PodOSNotSupported',
    message: "Failed to admit pod as the OS field doesn't match node OS",
    pod: refused({ os: { name: 'windows' } }),
  },
  {
    reason: 'SupplementalGroupsPolicyNotSupported',
    message: 'SupplementalGroupsPolicy=Strict is not supported in this node',
    pod: refused({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
    runtime: { supplementalGroupsPolicy: false },
  },
  {
    reason: 'OutOfcpu',
    message: short('cpu', 1500, 1000, 1900),
    pod: refused(asking({ cpu: '1500m' })),
    before: [simulatedPod('other', asking({ cpu: '1' }))],
    configuration: { kubeReserved: { cpu: '100m' } },
  },
  {
    reason: 'OutOfmemory',
    message: short('memory', 8 * 2 ** 30, 0, 7 * 2 ** 30),
    pod: refused(asking({ memory: '8Gi' })),
    configuration: { systemReserved: { memory: '1Gi' } },
  },
  {
    reason: 'OutOfephemeral-storage',
    message: short('ephemeral-storage', 2n ** 60n, 0, '<any>'),
    pod: refused(asking({ 'ephemeral-storage': '1Ei' })),
  },
  {
    reason: 'OutOfhugepages-2Mi',
    message: short('hugepages-2Mi', 2 * 2 ** 20, 0, 0),
    pod: refused(asking({ 'hugepages-2Mi': '2Mi', memory: '1Mi', cpu: '1m' })),
  },
  {
    reason: 'OutOfpods',
    message: short('pods', 1, 1, 1),
    pod: refused({}),
    before: [simulatedPod('other')],
    configuration: { maxPods: 1 },
  },
  {
    reason: 'NodeAffinity',
    message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    pod: refused({ nodeSelector: { zone: 'b' } }),
  },
  {
    reason: 'NodeName',
    message: "Predicate NodeName failed: node(s) didn't match the requested node name",
    pod: refused({ nodeName: 'elsewhere' }),
  },
  {
    reason: 'NodePorts',
    message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    pod: refused(hostPort),
    before: [simulatedPod('other', hostPort)],
  },
  {
    reason: 'TaintToleration',
    message: "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
    pod: refused({}),
    configuration: { registerWithTaints: [{ key: 'dedicated', effect: 'NoExecute' }] },
  },
  {
    reason: 'AppArmor',
    message: 'Cannot enforce AppArmor: AppArmor is not enabled on the host',
    pod: refused({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }),
  },
  {
    reason: 'PodLevelResourcesNotSupported',
    message: 'PodLevelResources feature gate is disabled',
    pod: refused({ resources: { requests: { cpu: '1' } } }),
    configuration: { featureGates: { PodLevelResources: false, InPlacePodLevelResourcesVerticalScaling: false } },
  },
  {
    reason: 'PodFeatureUnsupported',
    message: 'Pod requires node features that are not available: RestartAllContainersOnContainerExits',
    pod: refused({ containers: [container({ restartPolicy: 'Never', restartPolicyRules: rules })] }),
    configuration: { featureGates: { RestartAllContainersOnContainerExits: false } },
  },
  {
    reason: 'UnexpectedAdmissionError',
    message:
      'Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to ' +
      'preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]',
    pod: refused(asking({ cpu: '3' })),
    source: 'file',
  },
];

describe('admission', () => {
  let node: SimulatedNode;
  const boot = async (options: SimulatedNodeOptions): Promise<void> => {
    node = await SimulatedNode.create(options);
    await node.boot();
  };
  afterEach(() => node.dispose());

  it.each(refusals)(
    'refuses with $reason',
    async ({ reason, message, pod, before = [], configuration = {}, runtime = {}, source = 'api' }) => {
      await boot({ configuration, runtime, source: new MemoryPodSource(source, []) });
      node.want(...before);
      await node.until(() => before.every((other) => node.isReady(other)));
      node.want(...before, pod);
      await node.until(() => node.status(pod)?.phase === 'Failed');
      const anySize = (text: string | undefined): string | undefined =>
        message.includes('<any>') ? text?.replace(/capacity: [1-9]\d*$/, 'capacity: <any>') : text;
      expect(node.status(pod)?.reason).toBe(reason);
      expect(anySize(node.status(pod)?.message)).toBe(`Pod was rejected: ${message}`);
      expect(node.events(pod).map((event) => [event.type, event.reason, anySize(event.message)])).toEqual([
        ['Warning', reason, message],
      ]);
      await node.clock.advance(5_000);
      expect(node.runtime.control.sandboxes.filter(({ podUid }) => podUid === pod.metadata.uid)).toEqual([]);
      expect(before.every((other) => node.isReady(other))).toBe(true);
    },
  );

  it('lets static pods onto a node with NoExecute taints, and pods with what the configuration allows', async () => {
    const pod = simulatedPod('allowed', {
      securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] },
    });
    const registerWithTaints = [{ key: 'dedicated', effect: 'NoExecute' }];
    await boot({
      configuration: { registerWithTaints, allowedUnsafeSysctls: ['kernel.msg*'] },
      source: new MemoryPodSource('file', []),
    });
    node.want(pod);
    await node.until(() => node.isReady(pod));
  });

  it('ends a pod that is refused after a restart of the kubelet', async () => {
    const pod = simulatedPod('web');
    await boot({ source: new MemoryPodSource('api', []) });
    node.want(pod);
    await node.until(() => node.isReady(pod));
    await node.stop();
    expect(node.isStopped(pod)).toBe(false);
    await node.boot({ registerWithTaints: [{ key: 'dedicated', effect: 'NoExecute' }] });
    await node.until(() => node.status(pod)?.phase === 'Failed');
    expect(node.status(pod)).toMatchObject({
      reason: 'TaintToleration',
      message: expect.stringMatching(/^Pod was rejected: Predicate TaintToleration failed: /) as unknown,
    });
    await node.until(() => node.isStopped(pod));
    await node.clock.advance(10_000);
    expect(node.status(pod)?.phase).toBe('Failed');
    expect(node.isStopped(pod)).toBe(true);
  });

  it('makes room for a critical pod, by pods that matter less', async () => {
    const spared = simulatedPod('spared', asking({ cpu: '500m', memory: '1Gi' }));
    const victim = simulatedPod('victim', { containers: [container({ resources: { requests: { cpu: '1' } } })] });
    const critical = simulatedPod('critical', { ...asking({ cpu: '1' }), priority: 2_000_000_000 });
    await boot({ source: new MemoryPodSource('api', []) });
    node.want(spared, victim);
    await node.until(() => node.isReady(spared) && node.isReady(victim));
    node.want(spared, victim, critical);
    await node.until(() => node.isReady(critical));
    expect(node.isStopped(victim)).toBe(true);
    expect(node.isReady(spared)).toBe(true);
    expect(node.status(victim)).toMatchObject({
      phase: 'Failed',
      reason: 'Preempting',
      message: 'Preempted in order to admit critical pod',
    });
    const condition = node.status(victim)?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    expect(condition).toMatchObject({ status: 'True', reason: 'TerminationByKubelet' });
    expect(node.reasons(victim)).toContain('Preempting');
  });
});
