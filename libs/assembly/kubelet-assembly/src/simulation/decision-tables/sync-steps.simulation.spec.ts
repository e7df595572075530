import { afterEach, describe, expect, it } from '@jest/globals';
import type { PodStatus } from '@podwright/kube-types';
import { POD_WORKERS } from '@podwright/pod-workers-interface';
import { PodScene, container, sidecar } from './pod-scene.js';
import { openRemains } from './pod-remains.js';

const never = { restartPolicy: 'Never' } as const;
const mounting = (volume: object) => ({
  volumes: [{ name: 'v', ...volume }],
  containers: [container('main', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
});
const absent = mounting({ hostPath: { path: '/absent/on/this/machine', type: 'Directory' } });

describe('sync functions', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  describe('SyncPod', () => {
    it('2 pod IPs: from the sandbox, and told with the status', async () => {
      scene = await PodScene.open();
      await scene.run({});
      expect(scene.status?.podIP).toBe(scene.node.runtime.control.sandboxes[0]?.ip);
      expect(scene.status?.podIPs).toEqual([{ ip: scene.status?.podIP }]);
    });

    it('3 phase Succeeded or Failed: store status, return terminal', async () => {
      scene = await openRemains({ spec: never, records: { main: 'exited 0' } });
      await scene.pass();
      expect(scene.phase).toBe('Succeeded');
      expect(scene.story()).toEqual(['stop sandbox']);
    });

    it('4 the status is stored before anything is started', async () => {
      scene = await PodScene.open();
      scene.node.runtime.faults.hang({ rpc: 'runPodSandbox' });
      await scene.run({});
      expect(scene.phase).toBe('Pending');
      expect(scene.status?.startTime).toBeDefined();
    });

    it('5 network not ready and pod not host network: event and error; host network goes on', async () => {
      scene = await PodScene.open();
      scene.node.runtime.control.setNetworkReady(false);
      await scene.pass(6_000);
      await scene.run({});
      expect(scene.story()).toEqual([]);
      expect(scene.events('NetworkNotReady')[0]).toMatch(/^NetworkNotReady: network is not ready: .+/);
      scene.want({ hostNetwork: true }, { uid: 'uid-host' });
      await scene.ready();
    });

    it('10 wait for volumes: nothing is started before', async () => {
      scene = await PodScene.open();
      await scene.run(absent, {}, 20_000);
      expect(scene.story()).toEqual([]);
      expect(scene.phase).toBe('Pending');
      expect(scene.events('FailedMount')[0]).toMatch(/^FailedMount: MountVolume.SetUp failed for volume "v"/);
    });

    it('10 wait for volumes: failure: event FailedMount', async () => {
      scene = await PodScene.open();
      await scene.run(mounting({ cinder: { volumeID: 'x' } }));
      expect(scene.events('FailedMount')[0]).toMatch(
        /^FailedMount: Unable to attach or mount volumes: .*volumes=\[v\]/,
      );
    });

    it('10 wait for volumes, limit 2m3s: the plain timeout gives no event here', async () => {
      scene = await PodScene.open();
      await scene.run(absent, {}, 200_000);
      expect(scene.events('FailedMount').filter((text) => text.includes('Unable to attach or mount'))).toEqual([]);
    });

    it('11 collect pull secrets: missing ones are not fatal', async () => {
      scene = await PodScene.open();
      await scene.run({ imagePullSecrets: [{ name: 'b' }, { name: 'a' }] });
      expect(scene.phase).toBe('Running');
    });

    it('13 a start result with error is shown, one without removes it, others keep theirs', async () => {
      scene = await PodScene.open();
      const fault = { code: 'unknown' as const, message: 'full' };
      const clear = ['main', 'second'].map((subject) =>
        scene.node.runtime.faults.fail({ rpc: 'createContainer', subject }, { ...fault, times: Infinity }),
      );
      await scene.run({ containers: [container('main'), container('second')] });
      expect([scene.waiting('main'), scene.waiting('second')]).toEqual([
        'CreateContainerError',
        'CreateContainerError',
      ]);
      clear[0]?.();
      await scene.pass(15_000);
      expect(scene.containerStatus('main')?.state?.running).toBeDefined();
      expect(scene.waiting('second')).toBe('CreateContainerError');
    });

    it('14 after a RestartAllContainers clean-up: immediate further update', async () => {
      const rule = { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } };
      const main = container('main', { ...never, restartPolicyRules: [rule] });
      scene = await openRemains({ spec: { containers: [main, container('second')] }, records: { main: 'exited 42' } });
      await scene.node.until(() => scene.times('startContainer').length === 2);
      const [removed = 0] = scene.times('removeContainer').slice(-1);
      expect((scene.times('startContainer')[0] ?? 0) - removed).toBeLessThan(2_500);
    });
  });

  describe('SyncTerminatingPod', () => {
    it('failure: event FailedKillPod, retry', async () => {
      scene = await PodScene.open();
      scene.want({});
      await scene.ready();
      scene.node.runtime.faults.fail({ rpc: 'stopPodSandbox' }, { code: 'unknown', message: 'busy' });
      scene.node.want();
      await scene.pass(15_000);
      expect(scene.events('FailedKillPod')[0]).toMatch(/^FailedKillPod: error killing pod: .*busy/);
      expect(scene.node.isStopped(scene.pod)).toBe(true);
    });

    it('status (not terminal) first, the final one with the terminal rule', async () => {
      scene = await PodScene.open();
      scene.programs.set('main', { onStop: { afterMs: 3_000, exitCode: 9 } });
      scene.want({});
      await scene.ready();
      const before = scene.node.statuses.length;
      scene.want({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 } });
      await scene.pass(2_000);
      expect(scene.phase).toBe('Running');
      await scene.node.until(() => scene.phase === 'Failed');
      const phases = scene.node.statuses.slice(before).map(({ status }) => status.phase);
      expect([...new Set(phases)].at(-1)).toBe('Failed');
    });

    it.each([
      {
        row: 'survive while the computed phase is also Failed',
        evict: false,
        exitCode: 1,
        phase: 'Failed',
        reason: 'Evicted',
      },
      { row: 'are replaced by Succeeded', evict: false, exitCode: 0, phase: 'Succeeded', reason: undefined },
      // Upstream removes dead containers of an evicted pod at once, and so does not see that they succeeded.
      { row: 'survive an eviction', evict: true, exitCode: 0, phase: 'Failed', reason: 'Evicted' },
    ])('reason and message of an override $row', async ({ evict, exitCode, phase, reason }) => {
      scene = await PodScene.open();
      scene.programs.set('main', { onStop: { afterMs: 2_500, exitCode } });
      scene.want({});
      await scene.ready();
      const overrideStatus = (status: PodStatus): PodStatus => ({ ...status, phase: 'Failed', reason: 'Evicted' });
      const killed = scene.node.part(POD_WORKERS).killPodNow(scene.pod, { evict, overrideStatus });
      await scene.pass(2_000);
      expect(scene.status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
      await scene.node.finish(killed);
      await scene.pass(2_000);
      expect([scene.phase, scene.status?.reason]).toEqual([phase, reason]);
    });

    it('liveness and startup probes of REGULAR containers are stopped; sidecar and readiness probes go on', async () => {
      scene = await PodScene.open();
      const ask = (word: string) => ({ exec: { command: [word] }, periodSeconds: 1 });
      scene.programs.set('main', { onStop: { afterMs: 8_000 } });
      scene.want({
        containers: [container('main', { livenessProbe: ask('live'), readinessProbe: ask('ready') })],
        initContainers: [sidecar('s', { livenessProbe: ask('side') })],
      });
      await scene.ready();
      await scene.pass(2_000);
      scene.node.want();
      await scene.pass(1_000);
      const count = (word: string): number =>
        scene.node.runtime.calls
          .of('execSync')
          .filter(({ request }) => (request as { cmd?: readonly string[] }).cmd?.[0] === word).length;
      const [live, ready, side] = ['live', 'ready', 'side'].map(count);
      await scene.pass(5_000);
      expect(count('live')).toBe(live);
      expect(count('ready')).toBeGreaterThan((ready ?? 0) + 3);
      expect(count('side')).toBeGreaterThan((side ?? 0) + 3);
    });
  });

  it('SyncTerminatedPod: containers and logs are left to GC', async () => {
    scene = await openRemains({ spec: never, records: { main: 'exited 0' } });
    await scene.pass(20_000);
    expect(scene.node.runtime.control.containers()).toHaveLength(1);
  });
});
