import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { main, podManifest, script } from './pod-manifests.js';
import { runtimeCalls } from './runtime-calls.js';
import { toMs } from './runtime-view.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { aWhile, untilHolds } from './wait-for.js';

const statusOf = ({ status }: Pod): ContainerStatus | undefined => status?.containerStatuses?.[0];
const isRunning = (pod: Pod): boolean => statusOf(pod)?.state?.running !== undefined;

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const skipped = support.ok ? '' : ` (skipped: ${support.reason})`;

onLab(`what a kubelet knows after a kill -9${skipped}`, () => {
  const bed = useLab();
  const stubborn = main({ command: [...script('trap "" TERM; while :; do sleep 1; done')] });
  let node: TestNode;

  beforeAll(async () => {
    node = await bed().startNode('checkpoint');
  });

  it('statuses are the same, with their times and counts, of a pod that runs, one that crashes and one that is done', async () => {
    await node.add(podManifest('steady'));
    await node.add(podManifest('crashing', { containers: [main({ command: [...script('exit 3')] })] }));
    await node.add(
      podManifest('job', { containers: [main({ command: [...script('exit 0')] })], restartPolicy: 'Never' }),
    );
    await node.waitForPod('steady', 'runs', isRunning);
    await node.waitForPod('job', 'is done', (pod) => pod.status?.phase === 'Succeeded');
    // Its third start comes after 10 s, its fourth 20 s later.
    await node.waitForPod('crashing', 'was restarted twice', (pod) => statusOf(pod)?.restartCount === 2);
    await node.waitForPod('crashing', 'has ended again', (pod) => !isRunning(pod));
    const seen = async (): Promise<readonly unknown[]> => {
      const pods = await node.kubelet.pods();
      // Whether the wait of a crashed container shows depends on the last sync; what was counted and when does not.
      return pods
        .map(({ metadata, status }) => ({
          name: metadata.name,
          startTime: status?.startTime,
          phase: status?.phase,
          conditions: status?.conditions,
          counts: status?.containerStatuses?.map(({ restartCount, ready, started }) => ({
            restartCount,
            ready,
            started,
          })),
        }))
        .sort((left, right) => String(left.name).localeCompare(String(right.name)));
    };
    const before = await seen();
    await node.end('SIGKILL');
    await node.start();
    await node.untilUp();
    await node.waitForPod('job', 'is known again', (pod) => pod.status?.phase === 'Succeeded');
    await node.waitForPod('steady', 'is known again', isRunning);
    // The other two may be known a moment before the crashed one.
    await untilHolds(async () => expect(await seen()).toEqual(before));
    for (const name of ['steady', 'crashing', 'job']) {
      await node.remove(`${name}.json`);
      await node.removed(name);
    }
  });

  it('a termination keeps its deadline, with the spec that nobody has any more', async () => {
    const graceMs = 10_000;
    const aliveMs = 2_000;
    const { runtime } = bed();
    await node.add(podManifest('stubborn', { containers: [stubborn], terminationGracePeriodSeconds: graceMs / 1000 }));
    await node.waitForPod('stubborn', 'runs', isRunning);
    const [container] = await runtime.running(node.podName('stubborn'));
    const removedMs = await node.remove('stubborn.json');
    await node.waitFor('the end has begun', async () => (await node.events('stubborn', 'Killing')).length > 0);
    await aWhile(aliveMs);
    await node.end('SIGKILL');
    await node.start();
    const ended = await node.waitFor('the container has ended', async () => {
      const { finishedAt } = await runtime.status(container?.id ?? '');
      return finishedAt > 0n && finishedAt;
    });
    expect(toMs(ended) - removedMs).toBeGreaterThanOrEqual(graceMs - 1_500);
    // The next kubelet asks for what is left of it, whenever it comes to that.
    const stops = (await runtimeCalls(bed().lab)).filter(
      ({ method, about }) => method === 'StopContainer' && about === container?.id,
    );
    expect(stops[0]?.graceSeconds).toBe(graceMs / 1_000);
    expect(stops.length).toBeGreaterThan(1);
    expect(stops.at(-1)?.graceSeconds).toBeLessThanOrEqual((graceMs - aliveMs) / 1_000);
    await node.removed('stubborn');
  });

  it('lets a manifest that is back wait for the end that was begun', async () => {
    const { runtime } = bed();
    const manifest = podManifest('again', { containers: [stubborn], terminationGracePeriodSeconds: 6 });
    await node.add(manifest);
    await node.waitForPod('again', 'runs', isRunning);
    const [first] = await runtime.running(node.podName('again'));
    await node.remove('again.json');
    await node.waitFor('the end has begun', async () => (await node.events('again', 'Killing')).length > 0);
    await node.end('SIGKILL');
    await node.add(manifest);
    await node.start();
    const running = await node.waitFor('another container runs', async () => {
      const now = await runtime.running(node.podName('again'));
      return now.some(({ id }) => id !== first?.id) && now;
    });
    expect(running).toHaveLength(1); // the first one has ended before
    await node.waitForPod('again', 'runs', isRunning);
    await node.remove('again.json');
    await node.removed('again');
  });

  it('is in files that only root can read, and goes with the pods', async () => {
    const directory = path.join(node.dir, 'root', 'pod_memory');
    await node.add(podManifest('short'));
    await node.waitForPod('short', 'runs', isRunning);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await untilHolds(async () => {
      const files = await readdir(directory);
      const modes = await Promise.all(files.map(async (file) => (await stat(path.join(directory, file))).mode & 0o777));
      expect([files.length > 0, ...new Set(modes)]).toEqual([true, 0o600]);
    });
    await node.remove('short.json');
    await node.removed('short');
    await node.waitFor('everything is forgotten', async () => (await readdir(directory)).length === 0);
  });
});
