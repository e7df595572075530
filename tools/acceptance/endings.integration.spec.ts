import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { podUid, type Container, type ContainerStatus, type Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { stopOf } from './runtime-calls.js';
import { DiaryNode } from './diary-node.js';
import { expectPodExplained } from './explained.js';
import { deaf, once, polite, script, type PodDiary } from './pod-diary.js';
import { eventsOf, startsOf, stopsOf } from './pod-events.js';
import { main, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { untilHolds } from './wait-for.js';

const statusOf = ({ status }: Pod, name = 'main'): ContainerStatus | undefined =>
  status?.containerStatuses?.find((each) => each.name === name);
/** Reason, or for a condition without one its status, by type. */
const conditions = ({ status }: Pod): Readonly<Record<string, string>> =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, status: value, reason }) => [type, reason ?? value]));

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`pods end${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let on: DiaryNode;
  let node: TestNode;
  let diary: PodDiary;
  const deletedMs = new Map<string, number>();
  const sinceDeleted = (name: string, atMs: number): number => atMs - (deletedMs.get(name) ?? Number.NaN);

  beforeAll(async () => {
    // So that what has ended goes while the test looks; the default is a minute.
    on = await DiaryNode.start(bed(), 'ends', {
      assembly: [{ name: '@podwright/container-gc', config: { periodMs: 1_000 } }],
    });
    ({ node, diary } = on);
    await on.add(...manifests(diary));
    await node.add(version(diary, 1));
    // All at once, as each takes its time.
    for (const [name, graceSeconds] of [
      ['deaf', 4],
      ['hurried', 5],
      ['forced', 0],
      ['early', 10],
    ] as const) {
      await on.says(name, name === 'early' ? 'init begins' : 'main begins');
      deletedMs.set(name, await on.delete(name, graceSeconds));
    }
    await on.says('hurried', 'main TERM');
    await on.delete('hurried', 2);
    // Last, so that its start does not wait for those of the others until its deadline is over.
    await on.add(late(diary));
  });

  /** Lets a container of {@link endsWhenTold} end. */
  const tell = (name: string): Promise<void> => writeFile(path.join(diary.folder, `${name}.go`), '');

  /** How a pod's container was stopped, by the runtime's log; the container itself may have gone. */
  const stopIn = (pod: Pod): ReturnType<typeof stopOf> =>
    stopOf(bed().lab, statusOf(pod)?.containerID?.replace(/^.*:\/\//, '') ?? '');

  it('by a manifest that changes: the last one starts when the first has ended, those between never', async () => {
    const first = await node.waitForPod('static', 'runs', ({ status }) => status?.phase === 'Running');
    await on.says('static', 'first begins');
    await node.write('static.json', version(diary, 2));
    await on.says('static', 'first TERM');
    const second = await node.waitForPod('static', 'is another', (pod) => podUid(pod) !== podUid(first));
    await node.write('static.json', version(diary, 3));
    const third = await node.waitForPod('static', 'is a third', (pod) => podUid(pod) !== podUid(second));
    expect(third.status?.phase ?? 'Pending').toBe('Pending');
    await tell('static');
    // What follows in its own time, the last of these tests looks at.
  });

  it.each([
    { name: 'job-done', phase: 'Succeeded', reason: 'PodCompleted', said: ['main begins', 'main ends'], count: 0 },
    { name: 'job-failed', phase: 'Failed', reason: 'PodFailed', said: ['main begins', 'main ends'], count: 0 },
    {
      name: 'job-retried',
      phase: 'Succeeded',
      reason: 'PodCompleted',
      said: ['main begins', 'main fails', 'main begins', 'main ends'],
      count: 1,
    },
  ])('$name: by themselves, as $phase', async ({ name, phase, reason, said, count }) => {
    await on.ended(name);
    // Its last status comes after that of its containers, once the sandbox is stopped.
    const pod = await node.waitForPod(
      name,
      'has no sandbox',
      (seen) => conditions(seen)['PodReadyToStartContainers'] === 'False',
    );
    expect(await diary.words(name)).toEqual(said);
    expect(pod.status?.phase).toBe(phase);
    expect(statusOf(pod)?.restartCount).toBe(count);
    expect(conditions(pod)).toEqual({
      PodReadyToStartContainers: 'False',
      Initialized: phase === 'Succeeded' ? 'PodCompleted' : 'True',
      Ready: reason,
      ContainersReady: reason,
      PodScheduled: 'True',
    });
    // Nothing was told to stop.
    expect(await eventsOf(node, name)).toEqual(startsOf('main'));
    const situation = phase === 'Succeeded' ? 'succeeded' : 'failed';
    await expectPodExplained(node, pod.metadata.name ?? '', situation, { page: name });
  });

  it('by a deletion, and by SIGKILL when the grace period is over', async () => {
    const pod = await on.ended('deaf');
    expect(await diary.words('deaf')).toEqual(['main begins', 'main TERM']);
    const { graceSeconds, tookMs } = await stopIn(pod);
    expect(graceSeconds).toBe(4);
    expect(tookMs).toBeGreaterThanOrEqual(3_900);
    expect(pod.status?.phase).toBe('Failed');
    expect(statusOf(pod)?.state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(await eventsOf(node, 'deaf')).toEqual([...startsOf('main'), ...stopsOf('main')]);
  });

  it('not sooner by a second deletion with less grace: the stop that was begun is not cut short', async () => {
    const pod = await on.ended('hurried');
    const { graceSeconds, tookMs } = await stopIn(pod);
    expect(graceSeconds).toBe(5);
    expect(tookMs).toBeGreaterThanOrEqual(4_900);
    expect(await diary.words('hurried')).toEqual(['main begins', 'main TERM']);
    expect(await eventsOf(node, 'hurried')).toEqual([...startsOf('main'), ...stopsOf('main')]);
  });

  it('by force with the least time there is: one second for the hook, two for the container', async () => {
    const pod = await on.ended('forced');
    // A busy machine may need the whole second until the hook's first word.
    const words = (await diary.words('forced')).filter((each) => each !== 'hook begins');
    expect(words).toEqual(['main begins', 'main TERM']);
    const { atMs, graceSeconds, tookMs } = await stopIn(pod);
    expect(sinceDeleted('forced', atMs)).toBeGreaterThanOrEqual(1_000);
    const failedHook = 'FailedPreStopHook main: PreStopHook failed';
    expect(await eventsOf(node, 'forced')).toEqual([...startsOf('main'), ...stopsOf('main'), failedHook]);
    expect(graceSeconds).toBe(2);
    expect(tookMs).toBeGreaterThanOrEqual(1_900);
  });

  it('before they were initialised: no container starts any more, those that never did wait for ever', async () => {
    const pod = await on.ended('early');
    expect(await diary.words('early')).toEqual(['init begins', 'init TERM']);
    expect(pod.status?.phase).toBe('Failed');
    expect(pod.status?.initContainerStatuses?.[0]).toMatchObject({
      restartCount: 0,
      state: { terminated: { exitCode: 3 } },
    });
    expect(statusOf(pod)?.state).toEqual({ waiting: { reason: 'PodInitializing' } });
    expect(await eventsOf(node, 'early')).toEqual([...startsOf('init'), ...stopsOf('init')]);
  });

  it('and one of the api that takes the name of another does not wait for its end', async () => {
    await on.says('replaced', 'main begins');
    await on.api.remove(on.uid('replaced'));
    await on.says('replaced', 'main TERM');
    await on.api.add({
      ...diary.pod('replaced', { containers: [polite('main')] }),
      metadata: { name: node.podName('replaced'), uid: 'uid-replacing' },
    } as PodManifest);
    await on.says('replaced', 'main begins', 2);
    const { runtime } = bed();
    // A runtime lists a container as running a little after its process has begun.
    await untilHolds(async () => {
      const uids = (await runtime.running(node.podName('replaced'))).map((each) => each.podUid);
      expect([...uids].sort()).toEqual(['uid-replacing', on.uid('replaced')].sort());
    });
    await tell('replaced');
    await node.waitFor('the first has ended', async () => {
      const running = await runtime.running(node.podName('replaced'));
      return running.length === 1 && running[0]?.podUid === 'uid-replacing';
    });
    await on.api.remove('uid-replacing');
  });

  it('by their deadline, with the grace period of their own', async () => {
    const pod = await on.ended('late');
    expect(pod.status).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
    await expectPodExplained(node, pod.metadata.name ?? '', 'deadline-exceeded');
    await on.says('late', 'main ends');
    expect(await diary.words('late')).toEqual(['main begins', 'main TERM', 'main ends']);
    const [, told] = await diary.entries('late');
    expect(told?.atMs).toBeGreaterThanOrEqual(Date.parse(String(pod.status?.startTime)) + deadlineSeconds * 1_000);
    expect(await eventsOf(node, 'late')).toEqual([
      ...startsOf('main'),
      'DeadlineExceeded: Pod was active on the node longer than the specified deadline',
      ...stopsOf('main'),
    ]);
  });

  it('with words of a length that a status can hold', async () => {
    const message = async (name: string): Promise<string> =>
      statusOf(await on.ended(name))?.state?.terminated?.message ?? '';
    expect(await message('long-file')).toBe(`${'b'.repeat(3_900)}${'c'.repeat(196)}`);
    const lines = (from: number, to: number): string =>
      Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');
    expect(await message('many-lines')).toBe(lines(21, 100));
    expect(await message('long-line')).toBe(`${'x'.repeat(2_043)}\nend\n`);
    expect(await message('quiet')).toBe('');
  });

  it('and leave nothing on the machine once they are gone, but all that can be read before', async () => {
    const { runtime } = bed();
    const pod = await on.ended('job-done');
    const logs = path.join(node.dir, 'pod-logs');
    const logFolder = `default_${node.podName('job-done')}_${podUid(pod)}`;
    expect(await readdir(path.join(logs, logFolder, 'main'))).toEqual(['0.log']);
    expect(await runtime.containers(node.podName('job-done'))).toHaveLength(1);
    await untilHolds(async () => {
      expect(await runtime.containers(node.podName('job-retried'))).toHaveLength(1); // the newest
    });

    for (const manifest of [...manifests(diary), late(diary)]) await on.api.remove(on.uid(manifest.metadata.name));
    await node.waitFor('only the static pod is left', async () => {
      const sandboxes = await runtime.sandboxes();
      const containers = await runtime.containers();
      return [...sandboxes, ...containers].every((each) => each.pod === node.podName('static'));
    });
    await node.waitFor('the logs have gone', async () =>
      (await readdir(logs)).every((each) => each.startsWith(`default_${node.podName('static')}_`)),
    );
    await node.waitFor('their folders have gone', async () =>
      (await readdir(path.join(node.dir, 'root/pods'))).every((each) => !each.startsWith('uid-')),
    );
  });

  it('a static pod runs again in its third version', async () => {
    await on.says('static', 'third begins');
    expect(await diary.words('static')).toEqual(['first begins', 'first TERM', 'first ends', 'third begins']);
    await node.waitForPod('static', 'runs', ({ status }) => status?.phase === 'Running');
    expect(await eventsOf(node, 'static')).toEqual([...startsOf('first'), ...stopsOf('first'), ...startsOf('third')]);
    expect(await bed().runtime.running(node.podName('static'))).toHaveLength(1);
  });
});

const deadlineSeconds = 5;
const late = (diary: PodDiary): PodManifest =>
  diary.pod('late', { activeDeadlineSeconds: deadlineSeconds, containers: [polite('main')] });

/** Says `NAME TERM` on SIGTERM, and ends when a file is there that is named as its diary, and `.go`. */
const endsWhenTold = (name: string): Container =>
  main({
    name,
    command: script(
      `trap "say ${name} TERM" TERM; say ${name} begins; until [ -e $DIARY.go ]; do sleep 0.1; done; say ${name} ends`,
    ),
  });

/** One pod in three versions, each with a container of another name; the first ends when it is told to. */
function version(diary: PodDiary, number: 1 | 2 | 3): PodManifest {
  const first = endsWhenTold('first');
  return diary.pod('static', {
    terminationGracePeriodSeconds: 120,
    containers: [[first, polite('second'), polite('third')][number - 1] ?? first],
  });
}

function manifests(diary: PodDiary): readonly PodManifest[] {
  const failing = (name: string, text: string): PodManifest =>
    diary.pod(name, {
      restartPolicy: 'Never',
      containers: [main({ command: script(`${text}; exit 1`), terminationMessagePolicy: 'FallbackToLogsOnError' })],
    });
  const repeated = (letter: string, count: number): string => `head -c ${count} /dev/zero | tr "\\0" ${letter}`;
  return [
    diary.pod('job-done', { restartPolicy: 'Never', containers: [once('main', 'sleep 0.1')] }),
    diary.pod('job-failed', { restartPolicy: 'Never', containers: [once('main', 'sleep 0.1', 2)] }),
    diary.pod('job-retried', {
      restartPolicy: 'OnFailure',
      containers: [once('main', 'if mkdir $DIARY.tried 2> /dev/null; then say main fails; exit 1; fi')],
    }),
    diary.pod('deaf', { containers: [deaf('main')] }),
    diary.pod('hurried', { containers: [deaf('main')] }),
    diary.pod('forced', {
      containers: [
        deaf('main', { lifecycle: { preStop: { exec: { command: script('say hook begins; sleep 1000') } } } }),
      ],
    }),
    diary.pod('early', {
      initContainers: [
        main({
          name: 'init',
          command: script('trap "say init TERM; exit 3" TERM; say init begins; sleep 1000000 & wait'),
        }),
      ],
      containers: [polite('main')],
    }),
    diary.pod('replaced', { terminationGracePeriodSeconds: 120, containers: [endsWhenTold('main')] }),
    failing(
      'long-file',
      `(${repeated('a', 1000)}; ${repeated('b', 3900)}; ${repeated('c', 196)}) > /dev/termination-log; echo not this`,
    ),
    failing('many-lines', 'for i in `seq 100`; do echo line $i; done'),
    failing('long-line', `${repeated('x', 3000)}; echo; echo end`),
    diary.pod('quiet', {
      restartPolicy: 'Never',
      containers: [
        main({ command: script('echo words of one that succeeds'), terminationMessagePolicy: 'FallbackToLogsOnError' }),
      ],
    }),
  ];
}
