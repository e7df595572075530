import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JOURNAL_READER, type JournalEntry } from '@podwright/journal-interface';
import { podUid } from '@podwright/kube-types';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod, simulatedPods } from './simulated-pod.js';

/** The kinds of the entries, each with the field that tells two of a kind apart. */
function told(entries: readonly JournalEntry[]): readonly (readonly unknown[])[] {
  return entries.map((entry) => {
    switch (entry.kind) {
      case 'pod.received':
        return [entry.kind, entry.operation];
      case 'pod.queued':
        return [entry.kind, entry.update];
      case 'pod.ending':
      case 'container.kill':
        return [entry.kind, entry.cause];
      case 'pod.sync':
      case 'image.pull':
        return [entry.kind, entry.state];
      case 'status.changed':
        return [entry.kind, entry.phase, entry.ready];
      case 'container.started':
        return [entry.kind, entry.restartCount];
      case 'container.exited':
        return [entry.kind, entry.exitCode];
      case 'container.restart':
        return [entry.kind, entry.action];
      default:
        return [entry.kind];
    }
  });
}

describe('the life of a pod', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await SimulatedNode.create();
    await node.boot();
  });
  afterEach(() => node.dispose());

  it('starts and is ready within a second or two', async () => {
    const pod = simulatedPod('web');
    node.want(pod);
    expect(await node.until(() => node.isReady(pod))).toBeLessThan(1_500);
    expect(node.reasons(pod)).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
    const phases = node.statuses.map(({ status }) => status.phase);
    expect(phases[0]).toBe('Pending');
    expect(phases.at(-1)).toBe('Running');
    expect(node.status(pod)?.podIP).toBe(node.runtime.control.sandboxes[0]?.ip);
    expect(node.status(pod)?.startTime).toBeDefined();
  });

  it('runs init containers one after the other before the others', async () => {
    const pod = simulatedPod('ordered', {
      initContainers: [
        { name: 'first', image: 'registry.test/first:1' },
        { name: 'second', image: 'registry.test/second:1' },
      ],
    });
    node.runtime.programs.set('first', { exitAfterMs: 3_000 });
    node.runtime.programs.set('second', { exitAfterMs: 2_000 });
    node.want(pod);
    const tookMs = await node.until(() => node.isReady(pod));
    expect(tookMs).toBeGreaterThanOrEqual(5_000);
    expect(tookMs).toBeLessThan(9_000);
    const started = node.runtime.calls.of('startContainer').map(({ subject }) => subject);
    const names = started.map((id) => node.runtime.control.containers().find((container) => container.id === id)?.name);
    expect(names).toEqual(['first', 'second', 'main']);
  });

  it('gives a changed image a new container in the same sandbox', async () => {
    const before = simulatedPod('web');
    node.want(before);
    await node.until(() => node.isReady(before));
    const sandboxes = node.runtime.control.sandboxes.map(({ id }) => id);
    const after = simulatedPod('web', { containers: [{ name: 'main', image: 'registry.test/main:2' }] });
    node.want(after);
    await node.until(
      () =>
        node.runtime.control.container('uid-web', 'main')?.config.image?.userSpecifiedImage === 'registry.test/main:2',
    );
    await node.until(() => node.isReady(after));
    expect(node.runtime.control.sandboxes.map(({ id }) => id)).toEqual(sandboxes);
    const counts = node.events(after).map(({ reason, count }) => `${reason} ${count}`);
    expect(counts).toEqual(['Pulling 1', 'Pulled 1', 'Created 2', 'Started 2', 'Killing 1', 'Pulling 1', 'Pulled 1']);
  });

  it('is told by the journal from the source to the end, and by the next kubelet after a kill', async () => {
    const pod = simulatedPod('web');
    node.want(pod);
    await node.until(() => node.isReady(pod));
    node.runtime.control.exitContainer(node.runtime.control.container('uid-web', 'main')?.id ?? '', 3);
    await node.until(() => node.status(pod)?.containerStatuses?.[0]?.restartCount === 1 && node.isReady(pod));
    node.want();
    await node.until(() => node.status(pod) === undefined, 180_000);
    const way = [
      ['pod.received', 'add'],
      ['pod.admitted'],
      ['pod.queued', 'create'],
      ['status.changed', 'Pending', false],
      ['sandbox.created'],
      ['image.pull', 'queued'],
      ['image.pull', 'pulling'],
      ['image.pull', 'pulled'],
      ['container.started', 0],
      ['pod.sync', 'sync'],
      ['status.changed', 'Running', true],
      ['container.exited', 3],
      ['status.changed', 'Running', false],
      ['container.restart', 'now'],
      ['image.pull', 'present'],
      ['container.started', 1],
      ['status.changed', 'Running', true],
      ['pod.received', 'remove'],
      ['pod.queued', 'kill'],
      ['pod.ending', 'killed'],
      ['pod.sync', 'sync'],
      ['container.kill', 'pod'],
      ['container.killed'],
      ['status.changed', 'Running', false],
      ['pod.sync', 'terminating'],
      ['container.exited', 143],
      ['pod.sync', 'terminated'],
      ['pod.ended'],
      ['container.removed'],
    ];
    const podUid = 'uid-web';
    expect(told(node.part(JOURNAL_READER).recent({ podUid }))).toEqual(way);
    await node.clock.advance(1_000);
    const untilMs = node.clock.now();
    await node.kill();
    await node.boot();
    const journal = node.part(JOURNAL_READER);
    const stored: JournalEntry[] = [];
    // The next kubelet finds the exited container again.
    for await (const entry of journal.stored({ podUid, untilMs })) stored.push(entry);
    expect(told(stored)).toEqual(way);
    expect(journal.recent({ podUid, untilMs })).toEqual([]);
  });

  it('is gone without a trace after it was removed', async () => {
    const pod = simulatedPod('web');
    node.want(pod);
    await node.until(() => node.isReady(pod));
    node.want();
    await node.until(() => node.isStopped(pod));
    expect(node.reasons(pod).at(-1)).toBe('Killing');
    await node.until(() => node.runtime.control.sandboxes.length === 0, 180_000);
    expect(node.runtime.control.containers()).toEqual([]);
    await node.until(() => node.status(pod) === undefined);
  });

  it('waits for the grace period of a container that ignores SIGTERM, then kills it', async () => {
    node.runtime.programs.set('main', { onStop: 'ignore' });
    const pod = simulatedPod('stubborn', { terminationGracePeriodSeconds: 20 });
    node.want(pod);
    await node.until(() => node.isReady(pod));
    node.want();
    const tookMs = await node.until(() => node.isStopped(pod));
    expect(tookMs).toBeGreaterThanOrEqual(20_000);
    expect(tookMs).toBeLessThan(22_000);
  });

  it('waits with a pod of the same name and another UID until the first has ended', async () => {
    node.runtime.programs.set('main', { onStop: { afterMs: 15_000 } });
    const first = simulatedPod('web', {}, 'uid-1');
    node.want(first);
    await node.until(() => node.isReady(first));
    const second = simulatedPod('web', {}, 'uid-2');
    node.want(second);
    await node.clock.advance(10_000);
    expect(node.runtime.control.containers(podUid(second))).toEqual([]);
    expect(node.isStopped(first)).toBe(false);
    await node.until(() => node.isReady(second));
    expect(node.isStopped(first)).toBe(true);
  });

  it('a static pod with a fixed UID comes back after it was removed and added while it ends', async () => {
    node.runtime.programs.set('main', { onStop: { afterMs: 10_000 } });
    const pod = simulatedPod('fixed');
    node.want(pod);
    await node.until(() => node.isReady(pod));
    const firstId = node.runtime.control.container('uid-fixed', 'main')?.id;
    node.want();
    await node.clock.advance(3_000);
    node.want(pod);
    await node.until(() => {
      const newest = node.runtime.control.container('uid-fixed', 'main');
      return newest !== undefined && newest.id !== firstId && newest.running;
    });
    await node.until(() => node.isReady(pod));
    expect(node.runtime.control.sandboxes.filter(({ ready }) => ready)).toHaveLength(1);
  });

  it('ends by itself: a pod that is done is Succeeded and stays so', async () => {
    node.runtime.programs.set('main', { exitAfterMs: 5_000 });
    const pod = simulatedPod('job', { restartPolicy: 'Never' });
    node.want(pod);
    await node.until(() => node.status(pod)?.phase === 'Succeeded');
    await node.clock.advance(600_000);
    expect(node.runtime.calls.count('createContainer')).toBe(1);
    expect(node.status(pod)?.phase).toBe('Succeeded');
  });

  it('a hundred pods start and stop, nothing of them is left', async () => {
    const pods = simulatedPods(100);
    node.want(...pods);
    expect(await node.until(() => pods.every((pod) => node.isReady(pod)))).toBeLessThan(5_000);
    node.want();
    expect(await node.until(() => pods.every((pod) => node.isStopped(pod)))).toBeLessThan(5_000);
    expect(node.complaints()).toEqual([]);
    await node.until(() => node.runtime.control.sandboxes.length === 0, 300_000);
    expect(node.runtime.control.containers()).toEqual([]);
  });
});
