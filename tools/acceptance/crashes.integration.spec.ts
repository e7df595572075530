import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { runtimePid, labSupport, signal } from '@podwright/lab';
import { expectPodExplained } from './explained.js';
import { runtimeCalls } from './runtime-calls.js';
import { main, podManifest } from './pod-manifests.js';
import { toMs, type ContainerRecord } from './runtime-view.js';
import { storedJournal } from './stored-journal.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { aWhile, untilHolds, waitFor } from './wait-for.js';

const statusOf = ({ status }: Pod): ContainerStatus | undefined => status?.containerStatuses?.[0];
const isRunning = (pod: Pod): boolean => statusOf(pod)?.state?.running !== undefined;
const ids = (containers: readonly ContainerRecord[]): readonly string[] => containers.map(({ id }) => id).sort();

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const skipped = support.ok ? '' : ` (skipped: ${support.reason})`;

onLab(`the kubelet${skipped}`, () => {
  const bed = useLab();

  describe('after a crash', () => {
    let node: TestNode;

    beforeAll(async () => {
      node = await bed().startNode('crash');
      await node.add(podManifest('steady'));
      await node.waitForPod('steady', 'runs', isRunning);
    });

    it('of a container it is restarted at once, the next time after the back-off of 10 s', async () => {
      const { runtime } = bed();
      await node.add(podManifest('killed'));
      const pod = await node.waitForPod('killed', 'runs', isRunning);
      const name = node.podName('killed');
      const running = (attempt: number) => async (): Promise<ContainerRecord | undefined> =>
        (await runtime.running(name)).find((container) => container.attempt === attempt);

      const first = await node.waitFor('the first container', running(0));
      process.kill(await runtime.pid(first.id), 'SIGKILL');
      const second = await node.waitFor('the second container', running(1));
      expect(await node.events('killed', 'BackOff')).toEqual([]);
      const restarted = await node.waitForPod('killed', 'was restarted', (seen) => statusOf(seen)?.restartCount === 1);
      expect(statusOf(restarted)?.lastState?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
      expect(statusOf(restarted)?.lastState?.terminated?.containerID).toBe(`${bed().lab.runtime}://${first.id}`);
      expect(podUid(restarted)).toBe(podUid(pod));
      await expectPodExplained(node, name, 'restarted', { oneScreen: true });

      process.kill(await runtime.pid(second.id), 'SIGKILL');
      const waiting = await node.waitForPod(
        'killed',
        'backs off',
        (seen) => statusOf(seen)?.state?.waiting?.reason === 'CrashLoopBackOff',
      );
      const target = `pod=${name}_default(${podUid(pod)})`;
      expect(statusOf(waiting)).toMatchObject({
        restartCount: 1,
        ready: false,
        state: { waiting: { message: `back-off 10s restarting failed container=main ${target}` } },
        lastState: { terminated: { exitCode: 137, containerID: `${bed().lab.runtime}://${second.id}` } },
      });
      const [event] = await node.events('killed', 'BackOff');
      const text = `Back-off restarting failed container main in pod ${name}_default(${podUid(pod)})`;
      expect(event).toContain(`message="${text}"`);
      expect(event).toContain('type="Warning"');
      expect(event).toContain('fieldPath="spec.containers{main}"');

      const third = await node.waitFor('the third container', running(2));
      const pause = toMs((await runtime.status(third.id)).startedAt - (await runtime.status(second.id)).finishedAt);
      expect(pause).toBeGreaterThanOrEqual(10_000);
      await node.waitForPod('killed', 'was restarted', (seen) => statusOf(seen)?.restartCount === 2);
      await node.remove('killed.json');
      await node.removed('killed');
    });

    // Each moment is one of the phases of a start: nothing there yet, some containers there, most of them running.
    it.each([1, 5, 9])(
      'of the kubelet during the start of pods (after %i creations) no container is started twice',
      async (creations) => {
        const { lab, runtime } = bed();
        const names = Array.from({ length: 10 }, (_, index) => `burst-${creations}-${index}`);
        const before = (await runtimeCalls(lab)).length;
        const [steady] = await runtime.running(node.podName('steady'));
        for (const name of names) await node.add(podManifest(name));
        const created = async (): Promise<number> =>
          (await runtimeCalls(lab)).slice(before).filter(({ method }) => method === 'CreateContainer').length;
        await waitFor('containers are created', async () => (await created()) >= creations, { everyMs: 5 });
        const { pid = 0 } = node.kubelet.child;
        await node.end('SIGKILL');
        // Of the kubelet that was killed, and of the first one, which was killed before it.
        expect((await storedJournal(node, { kinds: ['journal.opened'] })).at(-1)?.pid).toBe(pid);
        const started = await storedJournal(node, { kinds: ['container.started'] });
        const ofSteady = started.filter(({ pod }) => pod.name === node.podName('steady'));
        expect(ofSteady.map(({ containerId }) => containerId)).toEqual([steady?.id]);
        const survivors = (await runtime.running()).filter(({ pod }) => pod.startsWith('burst-'));
        await node.start();

        for (const name of names) await node.waitForPod(name, 'runs', isRunning);
        for (const name of names) {
          const records = await runtime.containers(node.podName(name));
          const statuses = await Promise.all(records.map(({ id }) => runtime.status(id)));
          // One that was created and not started when the kubelet died is never started, a new one is made in its stead.
          expect(statuses.filter(({ startedAt }) => startedAt > 0n)).toHaveLength(1);
          expect(new Set(records.map(({ attempt }) => attempt)).size).toBe(records.length);
        }
        const starts = (await runtimeCalls(lab)).slice(before).filter(({ method }) => method === 'StartContainer');
        expect(new Set(starts.map(({ about }) => about)).size).toBe(starts.length);
        for (const { id, pod } of survivors) {
          expect(ids(await runtime.running(pod))).toEqual([id]);
          const seen = (await node.kubelet.pods()).find(({ metadata }) => metadata.name === pod);
          expect(seen && statusOf(seen)).toMatchObject({
            containerID: `${bed().lab.runtime}://${id}`,
            restartCount: 0,
          });
        }
        expect(await runtime.running(node.podName('steady'))).toEqual([steady]);
        // All sandboxes of a pod but one are stopped; containerd may still be at one whose caller died.
        for (const name of names) {
          await untilHolds(async () => {
            const ready = (await runtime.sandboxes(node.podName(name))).filter((sandbox) => sandbox.ready);
            expect(ready).toHaveLength(1);
          });
        }

        // And the same while they are removed.
        for (const name of names) await node.remove(`${name}.json`);
        const burst = async (): Promise<number> =>
          (await runtime.running()).filter(({ pod }) => pod.startsWith('burst-')).length;
        await waitFor('some pods are removed', async () => (await burst()) <= 10 - creations, { everyMs: 5 });
        await node.end('SIGKILL');
        await node.start();
        for (const name of names) await node.removed(name);
        await node.waitFor('no pod is shown', async () => (await node.kubelet.pods()).length === 1);
        expect(await runtime.running(node.podName('steady'))).toEqual([steady]);
      },
    );

    it('of containerd the kubelet goes on: the same containers, no restart, and a pod added meanwhile starts', async () => {
      const { lab, runtime } = bed();
      await node.add(podManifest('other', { containers: [main(), main({ name: 'second' })] }));
      await node.waitForPod(
        'other',
        'runs',
        (pod) => pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
      );
      const before = ids(await runtime.running());
      await lab.killRuntime();
      await node.add(podManifest('late'));
      await node.waitFor('the loss is noticed', async () =>
        (await node.log()).some((line) => line.includes('late-crash') || line.includes('Skipping pod synchronization')),
      );
      await aWhile(1_500); // a relist or two that fail
      await lab.startRuntime();

      await node.waitForPod('late', 'runs', isRunning);
      const after = await runtime.running();
      expect(ids(after.filter(({ pod }) => pod !== node.podName('late')))).toEqual(before);
      const pods = await node.kubelet.pods();
      const counts = pods.flatMap(({ status }) =>
        (status?.containerStatuses ?? []).map(({ restartCount }) => restartCount),
      );
      expect(counts).toEqual([0, 0, 0, 0]);
      for (const name of ['other', 'late']) await node.remove(`${name}.json`);
      for (const name of ['other', 'late']) await node.removed(name);
    });
  });

  describe('at a signal', () => {
    let stopped: number | undefined;
    afterAll(() => {
      if (stopped !== undefined) signal(stopped, 'SIGCONT');
    });

    it.each(['SIGTERM', 'SIGINT'] as const)(
      '%s the kubelet ends by itself with code 0, containers run on',
      async (name) => {
        const { runtime } = bed();
        const node = await bed().startNode(name.toLowerCase());
        await node.add(podManifest('kept'));
        await node.waitForPod('kept', 'runs', isRunning);
        const before = await runtime.running(node.podName('kept'));
        expect(await node.end(name)).toEqual({ code: 0, signal: null });
        expect(await runtime.running(node.podName('kept'))).toEqual(before);
      },
    );

    it.each(['SIGTERM', 'SIGINT'] as const)('%s it does so too while containerd hangs', async (name) => {
      const { lab, runtime } = bed();
      const node = await bed().startNode(`hung-${name.toLowerCase()}`);
      await node.add(podManifest('kept'));
      await node.waitForPod('kept', 'runs', isRunning);
      const before = await runtime.running(node.podName('kept'));
      const pid = await runtimePid(lab.layout);
      if (pid === undefined) throw new Error('containerd does not run');
      stopped = pid;
      signal(pid, 'SIGSTOP');
      // A start and a stop are under way too.
      await node.add(podManifest('never'));
      await node.remove('kept.json');
      await aWhile(1_200); // a relist begins each second
      const end = await node.end(name).finally(() => signal(pid, 'SIGCONT'));
      stopped = undefined;
      expect(end).toEqual({ code: 0, signal: null });
      await waitFor('containerd answers again', async () => (await runtime.containers()).length > 0);
      // A StopContainer that containerd had received may still be carried out, so only a pod that was left alone counts.
      expect(ids(await runtime.containers(node.podName('kept')))).toEqual(ids(before));
    });

    it('that comes while it waits for a containerd that hangs, it ends as well', async () => {
      const pid = await runtimePid(bed().lab.layout);
      if (pid === undefined) throw new Error('containerd does not run');
      stopped = pid;
      signal(pid, 'SIGSTOP');
      const node = await bed().startNode('waiting');
      await node.waitFor('it has begun', async () =>
        (await node.log()).some((line) => line.includes('Kubelet version')),
      );
      await aWhile(500);
      const end = await node.end('SIGTERM').finally(() => signal(pid, 'SIGCONT'));
      stopped = undefined;
      expect(end).toEqual({ code: 0, signal: null });
    });
  });
});
