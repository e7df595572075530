import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

const downMs = 7_000;

/** What a kubelet knows of its pods is known to the one that is started after it was killed. */
describe('what a kubelet has from the checkpoints of the one that was killed', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await SimulatedNode.create({ jitterless: true });
    await node.boot();
  });
  afterEach(() => node.dispose());

  async function die(): Promise<void> {
    await node.kill();
    await node.clock.advance(downMs);
    await node.boot();
  }
  const mainRuns = (pod: Pod): boolean => node.runtime.control.container(podUid(pod), 'main')?.running ?? false;

  describe('statuses', () => {
    const image = (name: string): string => `registry.test/${name}:1`;
    const container = (name: string) => ({ name, image: image(name) });
    const web = simulatedPod('web', { initContainers: [container('init')] });
    const crashing = simulatedPod('crashing', { containers: [container('crashing')] });
    const job = simulatedPod('job', { containers: [container('job')], restartPolicy: 'Never' });
    const pods = [web, crashing, job];
    const seen = (): readonly (PodStatus | undefined)[] => pods.map((pod) => node.status(pod));

    beforeEach(async () => {
      node.runtime.programs.set('init', { exitAfterMs: 500 });
      node.runtime.programs.set('crashing', { exitAfterMs: 100, exitCode: 3 });
      node.runtime.programs.set('job', { exitAfterMs: 1_000 });
      node.want(...pods);
      // Between its fourth and its fifth start, which are 80 s apart.
      await node.until(() => node.status(crashing)?.containerStatuses?.[0]?.restartCount === 4, 300_000);
      await node.clock.advance(20_000);
    });

    it('are the same after the start and after the first syncs', async () => {
      const before = seen();
      expect(before.map((status) => status?.phase)).toEqual(['Running', 'Running', 'Succeeded']);
      expect(before[1]?.containerStatuses?.[0]).toMatchObject({
        restartCount: 4,
        state: { terminated: { exitCode: 3 } },
        lastState: { terminated: { exitCode: 3 } },
      });
      await node.kill();
      await node.clock.advance(downMs);
      const heard = node.statuses.length;
      await node.boot();
      await node.clock.advance(10_000);
      expect(seen()).toEqual(before);
      // Nor did anything else show in between, such as a pod that is Pending or not ready.
      for (const { podUid: uid, status } of node.statuses.slice(heard)) {
        const { phase = before[2]?.phase, ...rest } = status;
        expect({ phase, ...rest }).toEqual(before[pods.findIndex((pod) => podUid(pod) === uid)]);
      }
    });

    it('keep their times over many deaths', async () => {
      const [before] = seen();
      for (let round = 0; round < 5; round++) {
        await die();
        await node.clock.advance(1_000 * round);
      }
      expect(node.status(web)).toEqual(before);
    });

    it('of init containers whose records are gone say what upstream can know; the others are unchanged', async () => {
      const [before] = seen();
      const [init] = before?.initContainerStatuses ?? [];
      await node.kill();
      node.runtime.control.loseContainer(node.runtime.control.container(podUid(web), 'init')?.id ?? '');
      await node.boot();
      await node.clock.advance(10_000);
      const message =
        'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally';
      const terminated = { reason: 'Completed', exitCode: 0, message };
      expect(node.status(web)).toEqual({ ...before, initContainerStatuses: [{ ...init, state: { terminated } }] });
      expect(node.runtime.control.container(podUid(web), 'init')).toBeUndefined();
    });

    it('are forgotten with the pod', async () => {
      await node.kill();
      node.want();
      await node.boot();
      await node.until(() => pods.every((pod) => node.status(pod) === undefined), 180_000);
      node.want(web);
      await node.until(() => node.isReady(web));
      const startTime = Date.parse(node.status(web)?.startTime ?? '');
      expect(node.clock.now() - startTime).toBeLessThan(10_000);
    });
  });

  it('the back-off of an image that cannot be pulled goes on', async () => {
    const image = 'registry.test/rare:1';
    const fault = { code: 'not-found' as const, message: 'not there' };
    node.runtime.store.publish(image, { pullErrors: Array.from({ length: 9 }, () => fault) });
    const pod = simulatedPod('rare', { containers: [{ name: 'main', image }] });
    const pulls = (): readonly number[] => node.runtime.calls.of('pullImage').map(({ startedAtMs }) => startedAtMs);
    node.want(pod);
    await node.until(() => pulls().length === 4, 300_000); // the next one is due in 80 s
    await node.clock.advance(30_000);
    await die();
    await node.until(() => node.status(pod)?.containerStatuses?.[0]?.state?.waiting?.reason === 'ImagePullBackOff');
    const message = node.status(pod)?.containerStatuses?.[0]?.state?.waiting?.message;
    expect(message).toContain('Back-off pulling image "registry.test/rare:1": ErrImagePull: ');
    await node.until(() => pulls().length === 5, 300_000);
    const [, , , fourth = 0, fifth = 0] = pulls();
    expect(fifth - fourth).toBeGreaterThanOrEqual(80_000);
    expect(fifth - fourth).toBeLessThan(95_000);
  });

  it('the back-off of a container goes on when its next one was created and never started', async () => {
    const pod = simulatedPod('crashing', { containers: [{ name: 'crashing', image: 'registry.test/crashing:1' }] });
    node.runtime.programs.set('crashing', { exitAfterMs: 100, exitCode: 3 });
    const creations = (): readonly number[] =>
      node.runtime.calls.of('createContainer').map(({ startedAtMs }) => startedAtMs);
    node.want(pod);
    await node.until(() => creations().length === 4, 300_000);
    await node.clock.advance(10_000); // the next one is due 40 s after the exit of this one, and the one after it 80 s
    const endedAtMs = (creations().at(-1) ?? 0) + 100;
    node.runtime.faults.fail({ rpc: 'createContainer' }, { code: 'unavailable', done: true });
    await node.until(() => creations().length === 5, 300_000);
    // Each start collects garbage at once.
    await die();
    await die();
    await node.until(() => creations().length === 6, 300_000);
    expect((creations().at(-1) ?? 0) - endedAtMs).toBeGreaterThanOrEqual(80_000);
    expect(node.status(pod)?.containerStatuses?.[0]?.lastState).toMatchObject({ terminated: { exitCode: 3 } });
  });

  describe('a termination', () => {
    const graceMs = 30_000;
    const pod = simulatedPod('stubborn', { terminationGracePeriodSeconds: graceMs / 1000 });

    /** The pod has been ending for 12 s when its kubelet dies. Returns when it began, on the monotonic clock. */
    async function begin(): Promise<number> {
      node.runtime.programs.set('main', { onStop: 'ignore' });
      node.want(pod);
      await node.until(() => node.isReady(pod));
      node.want();
      await node.until(() => node.runtime.calls.count('stopContainer') === 1);
      const beganAtMs = node.clock.monotonic();
      await node.clock.advance(12_000);
      return beganAtMs;
    }

    it('keeps its deadline', async () => {
      const beganAtMs = await begin();
      await die();
      await node.until(() => !mainRuns(pod));
      const tookMs = node.clock.monotonic() - beganAtMs;
      expect(tookMs).toBeGreaterThanOrEqual(graceMs - 1_000);
      expect(tookMs).toBeLessThan(graceMs + 3_000);
      await node.until(() => node.runtime.control.sandboxes.length === 0, 180_000);
    });

    it('keeps its deadline over several deaths', async () => {
      const beganAtMs = await begin();
      await die();
      await node.clock.advance(3_000);
      await die();
      await node.until(() => !mainRuns(pod));
      const tookMs = node.clock.monotonic() - beganAtMs;
      expect(tookMs).toBeGreaterThanOrEqual(graceMs - 1_000);
      expect(tookMs).toBeLessThan(graceMs + 5_000);
    });

    it('lets the pod restart afterwards when it is wanted again', async () => {
      const beganAtMs = await begin();
      const first = node.runtime.control.container(podUid(pod), 'main')?.id;
      await node.kill();
      node.want(pod);
      await node.boot();
      await node.until(() => !mainRuns(pod));
      expect(node.clock.monotonic() - beganAtMs).toBeGreaterThanOrEqual(graceMs - 1_000);
      await node.until(() => mainRuns(pod) && node.runtime.control.container(podUid(pod), 'main')?.id !== first);
      await node.until(() => node.isReady(pod));
      expect(node.runtime.control.sandboxes.filter(({ ready }) => ready)).toHaveLength(1);
    });

    it('lets a pod of the same name wait', async () => {
      await begin();
      const successor = simulatedPod('stubborn', {}, 'uid-successor');
      await node.kill();
      node.want(successor);
      await node.boot();
      await node.until(() => {
        expect(mainRuns(pod) && mainRuns(successor)).toBe(false);
        return mainRuns(successor);
      });
    });

    it('is not in the checkpoint of a pod that was not ending: it is killed as a stray one', async () => {
      node.runtime.programs.set('main', { onStop: 'ignore' });
      node.want(pod);
      await node.until(() => node.isReady(pod));
      await node.kill();
      node.want();
      await node.boot();
      const tookMs = await node.until(() => !mainRuns(pod));
      expect(tookMs).toBeLessThan(8_000);
    });
  });
});
