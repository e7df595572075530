import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { AdmissionResult, AdmissionStage } from '@podwright/admission-interface';
import { describeAdmissionContract } from '@podwright/admission-interface/contract';
import type { Node, Pod, PodSpec } from '@podwright/kube-types';
import { harness, usualNode } from './fixtures/admission-harness.js';

const pod = (spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'u1', ...metadata },
  spec: { containers: [{ name: 'c' }], ...spec },
  status: { phase: 'Pending' },
});
const asking = (cpu: string, spec: Partial<PodSpec> = {}): Pod =>
  pod({ containers: [{ name: 'c', resources: { requests: { cpu } } }], ...spec });
const fromFile = { annotations: { 'kubernetes.io/config.source': 'file' } };
const hostPort = { containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort: 80 }] }] };
const no = (reason: string, message: string): AdmissionResult => ({ admit: false, reason, message });
const noPredicate = (name: string, text: string): AdmissionResult => no(name, `Predicate ${name} failed: ${text}`);
const affinity = noPredicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
const tainted: Node = { ...usualNode, spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } };

describeAdmissionContract('NodeAdmission', async () => harness().admission);

describe('NodeAdmission', () => {
  it.each<[string, Pod, AdmissionResult]>([
    ['an ordinary pod', pod(), { admit: true }],
    [
      'an unsafe sysctl',
      pod({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
      no('SysctlForbidden', 'forbidden sysctl: "kernel.msgmax" not allowlisted'),
    ],
    [
      'the label of another system',
      pod({}, { labels: { 'kubernetes.io/os': 'windows' } }),
      no(
        'PodOSSelectorNodeLabelDoesNotMatch',
        "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
      ),
    ],
    [
      'another system',
      pod({ os: { name: 'windows' } }),
      no('PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS"),
    ],
    [
      'strict groups on a node that cannot',
      pod({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
      no('SupplementalGroupsPolicyNotSupported', 'SupplementalGroupsPolicy=Strict is not supported in this node'),
    ],
    ['merged groups', pod({ securityContext: { supplementalGroupsPolicy: 'Merge' } }), { admit: true }],
    [
      'too much cpu',
      asking('3'),
      no('OutOfcpu', "Node didn't have enough resource: cpu, requested: 3000, used: 0, capacity: 2000"),
    ],
    ['a selector', pod({ nodeSelector: { zone: 'b' } }), affinity],
    ['another node', pod({ nodeName: 'n2' }), noPredicate('NodeName', "node(s) didn't match the requested node name")],
    ['this node', pod({ nodeName: 'n1' }), { admit: true }],
    [
      'a profile that cannot be enforced',
      pod({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }),
      no('AppArmor', 'Cannot enforce AppArmor: AppArmor is not enabled on the host'),
    ],
    [
      'a feature that is not declared',
      pod({ hostNetwork: true, hostUsers: false }),
      no(
        'PodFeatureUnsupported',
        'Pod requires node features that are not available: UserNamespacesHostNetworkSupport',
      ),
    ],
    [
      'cpu and another node: the resource first',
      asking('3', { nodeName: 'n2' }),
      no('OutOfcpu', "Node didn't have enough resource: cpu, requested: 3000, used: 0, capacity: 2000"),
    ],
  ])('%s', async (_name, given, expected) => {
    const { admission, journal } = harness();
    await expect(admission.admit(given, [])).resolves.toEqual(expected);
    const { admit, ...refusal } = expected;
    const kind = admit ? 'pod.admitted' : 'pod.refused';
    expect(journal.decisions).toMatchObject([{ kind, pod: { uid: 'u1', name: 'web' }, ...refusal }]);
  });

  it('admits what the node can', async () => {
    const { admission, state } = harness({ podLevelResources: false });
    state.node = { ...usualNode, status: { ...usualNode.status, features: { supplementalGroupsPolicy: true } } };
    state.declared = ['UserNamespacesHostNetworkSupport'];
    const given = pod({ securityContext: { supplementalGroupsPolicy: 'Strict' }, hostNetwork: true, hostUsers: false });
    await expect(admission.admit(given, [])).resolves.toEqual({ admit: true });
    await expect(admission.admit(pod({ resources: { limits: { cpu: '1' } } }), [])).resolves.toEqual(
      no('PodLevelResourcesNotSupported', 'PodLevelResources feature gate is disabled'),
    );
    const lenient = harness({ nodeDeclaredFeatures: false, allowedUnsafeSysctls: ['kernel.msg*'] }).admission;
    await expect(
      lenient.admit(pod({ ...given.spec, securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }), []),
    ).resolves.toEqual({ admit: true });
  });

  it('refuses while the node is unknown', async () => {
    const { admission, state } = harness();
    state.node = undefined;
    await expect(admission.admit(pod(), [])).resolves.toEqual(no('InvalidNodeInfo', 'Kubelet cannot get node info.'));
  });

  it('counts what other pods have', async () => {
    const { admission } = harness();
    const ports = noPredicate('NodePorts', "node(s) didn't have free ports for the requested pod ports");
    await expect(admission.admit(pod(hostPort), [pod(hostPort)])).resolves.toEqual(ports);
    await expect(admission.admit(asking('1500m'), [asking('1')])).resolves.toMatchObject({ reason: 'OutOfcpu' });
  });

  it('refuses pods that do not tolerate NoExecute, but for static ones', async () => {
    const { admission, state } = harness();
    state.node = tainted;
    const taints = noPredicate('TaintToleration', "node(s) had taints that the pod didn't tolerate");
    await expect(admission.admit(pod(), [])).resolves.toEqual(taints);
    await expect(admission.admit(pod({}, fromFile), [])).resolves.toEqual({ admit: true });
  });

  describe('when only the labels are wrong', () => {
    const wanted = pod({ nodeSelector: { zone: 'b' } });
    it.each<[string, Node | Error | 'never' | undefined, AdmissionResult]>([
      ['the fetched node counts', { ...usualNode, metadata: { name: 'n1', labels: { zone: 'b' } } }, { admit: true }],
      ['it may be as wrong', undefined, affinity],
      ['what else is wrong with it counts', tainted, affinity],
      ['a failing fetch changes nothing', new Error('down'), affinity],
      ['a fetch that hangs ends', 'never', affinity],
    ])('%s', async (_name, fetched, expected) => {
      const { admission, state, clock } = harness({ fetchNodeTimeoutMs: 5_000 });
      state.fetched = fetched;
      let result: AdmissionResult | undefined;
      void admission.admit(wanted, []).then((value) => (result = value));
      await clock.runUntil(() => result !== undefined, 6_000);
      expect(result).toEqual(expected);
      expect(state.fetches).toBe(1);
    });

    it('is it fetched, not otherwise', async () => {
      const { admission, state } = harness();
      await admission.admit(asking('3', { nodeSelector: { zone: 'b' } }), []);
      await admission.admit(pod({ nodeName: 'n2' }), []);
      await admission.admit(pod({ nodeName: 'n2', nodeSelector: { zone: 'b' } }), []);
      await admission.admit(pod(), []);
      expect(state.fetches).toBe(0);
    });
  });

  describe('for a critical pod', () => {
    const critical = (cpu: string, spec: Partial<PodSpec> = {}): Pod =>
      asking(cpu, { priority: 2_000_000_000, ...spec });

    it('makes room when nothing but resources is missing', async () => {
      const { admission, state } = harness();
      await expect(admission.admit(critical('1500m'), [asking('1')])).resolves.toEqual({ admit: true });
      expect(state.preempted).toEqual([[{ resource: 'cpu', missing: 500n }]]);
    });

    it.each([
      ['static', { ...asking('3'), metadata: { name: 's', ...fromFile } }],
      ['mirror', { ...asking('3'), metadata: { name: 's', annotations: { 'kubernetes.io/config.mirror': 'x' } } }],
    ])('as %s pods are', async (_name, given) => {
      const { admission, state } = harness();
      await expect(admission.admit(given, [])).resolves.toEqual({ admit: true });
      expect(state.preempted).toHaveLength(1);
    });

    it('ends nobody when something else is wrong, and says that', async () => {
      const { admission, state } = harness();
      await expect(admission.admit(critical('3', { nodeSelector: { zone: 'b' } }), [])).resolves.toEqual(affinity);
      expect(state.preempted).toEqual([]);
    });

    it('refuses when no room can be made', async () => {
      const { admission, state } = harness();
      state.preemptionFault = new Error('preemption: nobody');
      await expect(admission.admit(critical('3'), [])).resolves.toEqual(
        no(
          'UnexpectedAdmissionError',
          'Unexpected error while attempting to recover from admission failure: preemption: nobody',
        ),
      );
    });
  });

  describe('with checks of other managers', () => {
    const order = async (operation: 'add' | 'resize'): Promise<readonly string[]> => {
      const { admission, checks } = harness();
      const asked: string[] = [];
      for (const stage of ['last', 'node-shutdown', 'topology', 'eviction'] as const) {
        for (const name of [stage, `${stage} 2`]) checks.push({ stage, check: async () => void asked.push(name) });
      }
      await admission.admit(pod(), [], operation);
      return asked;
    };

    it('asks them in their order', async () => {
      const stages = ['eviction', 'topology', 'node-shutdown', 'last'];
      const expected = stages.flatMap((stage) => [stage, `${stage} 2`]);
      expect(await order('add')).toEqual(expected);
      expect(await order('resize')).toEqual(expected);
    });

    // Each pod would be refused by the next check, too: who comes first answers.
    it.each<[AdmissionStage, Pod, boolean]>([
      ['eviction', pod({ securityContext: { sysctls: [{ name: 'vm.x', value: '1' }] } }), true],
      ['topology', pod({ os: { name: 'windows' } }), true],
      ['topology', pod({ securityContext: { sysctls: [{ name: 'vm.x', value: '1' }] } }), false],
      ['node-shutdown', pod({ os: { name: 'windows' } }), false],
      ['node-shutdown', pod({ hostNetwork: true, hostUsers: false }), false],
      ['node-shutdown', pod(), true],
      ['last', pod({ hostNetwork: true, hostUsers: false }), false],
      ['last', pod(), true],
    ])('stage %s comes where it belongs: %#', async (stage, given, first) => {
      const { admission, checks } = harness();
      checks.push({ stage, check: async () => ({ admit: false, reason: 'Handler', message: 'no' }) });
      const result = await admission.admit(given, []);
      expect(!result.admit && result.reason === 'Handler').toBe(first);
    });

    it('refuses when one of them breaks', async () => {
      const { admission, checks } = harness();
      checks.push({ stage: 'topology', check: () => Promise.reject(new Error('broken')) });
      await expect(admission.admit(pod(), [])).resolves.toEqual(
        no('UnexpectedAdmissionError', 'Admission failed due to broken, which is unexpected'),
      );
    });

    it('measures against what plugins say, and refuses when they fail', async () => {
      const { admission, adjustments } = harness();
      const gpu = pod({ containers: [{ name: 'c', resources: { requests: { 'example.com/gpu': '2' } } }] });
      await expect(admission.admit(gpu, [])).resolves.toEqual({ admit: true });
      adjustments.push(async (allocatable) => ({ ...allocatable, 'example.com/gpu': '1' }));
      await expect(admission.admit(gpu, [])).resolves.toMatchObject({ reason: 'OutOfexample.com/gpu' });
      // The first by name, whatever the order in the pod.
      const requests = { 'example.com/gpu': '2', 'example.com/fpga': '1', 'ephemeral-storage': '1' };
      const several = pod({ containers: [{ name: 'c', resources: { requests } }] });
      adjustments.push(async (allocatable) => ({ ...allocatable, 'example.com/fpga': '0' }));
      await expect(admission.admit(several, [])).resolves.toMatchObject({ reason: 'OutOfexample.com/fpga' });
      adjustments.push(async (allocatable) => ({ ...allocatable, 'ephemeral-storage': '0' }));
      await expect(admission.admit(several, [])).resolves.toMatchObject({ reason: 'OutOfephemeral-storage' });
      adjustments.splice(0, 3, () => Promise.reject(new Error('no plugin')));
      await expect(admission.admit(gpu, [])).resolves.toEqual(
        no('UnexpectedAdmissionError', 'Update plugin resources failed due to no plugin, which is unexpected.'),
      );
    });
  });

  it('counts refused pods by reason, not refused resizes', async () => {
    const { admission, metrics, state, journal, checks, clock } = harness();
    await admission.admit(asking('3'), []);
    await admission.admit(asking('3'), [], 'resize');
    checks.push({ stage: 'last', check: () => clock.advance(7).then(() => undefined) });
    await clock.advance(5);
    await admission.admit(pod(), [], 'resize');
    await admission.admit(pod(), []);
    expect(journal.decisions).toMatchObject([{ kind: 'pod.refused' }, { kind: 'pod.admitted', durationMs: 7 }]);
    state.node = { ...tainted, status: { allocatable: { ...usualNode.status?.allocatable, 'example.com/gpu': '0' } } };
    await admission.admit(pod(), []);
    await admission.admit(
      pod({ containers: [{ name: 'c', resources: { requests: { 'example.com/gpu': '2' } } }] }),
      [],
    );
    const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('kubelet_admission'));
    expect(lines.sort()).toEqual([
      'kubelet_admission_rejections_total{reason="Other"} 1',
      'kubelet_admission_rejections_total{reason="OutOfExtendedResources"} 1',
      'kubelet_admission_rejections_total{reason="OutOfcpu"} 1',
    ]);
  });

  it('admits a profile where the kernel enforces profiles, which it looks up once', async () => {
    const hostRoot = await mkdtemp(path.join(tmpdir(), 'podwright-admission-'));
    const parameters = path.join(hostRoot, 'sys/module/apparmor/parameters');
    try {
      await mkdir(path.join(hostRoot, 'sys/kernel/security/apparmor'), { recursive: true });
      await mkdir(parameters, { recursive: true });
      await writeFile(path.join(parameters, 'enabled'), 'Y\n');
      const { admission } = harness({ hostRoot });
      const confined = pod({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } });
      await expect(admission.admit(confined, [])).resolves.toEqual({ admit: true });
      await writeFile(path.join(parameters, 'enabled'), 'N\n');
      await expect(admission.admit(confined, [])).resolves.toEqual({ admit: true });
    } finally {
      await rm(hostRoot, { recursive: true });
    }
  });

  it('names a sysctl that cannot be allowed', () => {
    expect(() => harness({ allowedUnsafeSysctls: ['vm.swappiness'] })).toThrow(
      'allowedUnsafeSysctls the sysctls "vm.swappiness" are not known to be namespaced',
    );
  });
});
