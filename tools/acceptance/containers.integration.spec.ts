import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { DiaryNode } from './diary-node.js';
import { expectPodExplained } from './explained.js';
import { kindsOfContainers } from './kinds-of-containers.js';
import { script, type PodDiary } from './pod-diary.js';
import { eventsOf, startsOf, stopsOf } from './pod-events.js';
import { main } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';

const statusOf = ({ status }: Pod, name = 'main'): ContainerStatus | undefined =>
  [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ].find((each) => each.name === name);
const restarts = (pod: Pod, ...names: string[]): unknown => names.map((name) => statusOf(pod, name)?.restartCount);
const conditions = ({ status }: Pod): unknown =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, status: value, reason }) => [type, reason ?? value]));

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`containers of each kind${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let on: DiaryNode;
  let node: TestNode;
  let diary: PodDiary;
  let backingOff: Promise<Pod>;

  beforeAll(async () => {
    on = await DiaryNode.start(bed(), 'kinds');
    ({ node, diary } = on);
    await on.add(...kindsOfContainers(diary));
    // The wait lasts ten seconds, and may be over when its case comes.
    const waits = (seen: Pod): boolean => statusOf(seen, 'init')?.state?.waiting?.reason === 'CrashLoopBackOff';
    backingOff = node.waitForPod('init-always', 'waits', waits);
    backingOff.catch(() => undefined); // the case tells it
  });

  it('sidecars start between the init containers, when they have started, and end after the others in reverse', async () => {
    await on.says('ordered', 'main begins');
    expect(await diary.words('ordered')).toEqual([
      ...['one begins', 'one ends', 'early begins', 'early is ready'],
      ...['two begins', 'two ends', 'late begins', 'main begins'],
    ]);
    const pod = await node.waitForPod('ordered', 'runs', ({ status }) => status?.phase === 'Running');
    expect(
      ['one', 'early', 'two', 'late'].map((name) => [statusOf(pod, name)?.started, statusOf(pod, name)?.ready]),
    ).toEqual([
      [false, true],
      [true, true],
      [false, true],
      [true, true],
    ]);
    const unhealthy = (event: string): boolean => event.startsWith('Unhealthy');
    const events = await eventsOf(node, 'ordered');
    expect(events.filter((event) => !unhealthy(event))).toEqual(startsOf('one', 'early', 'two', 'late', 'main'));
    for (const event of events.filter(unhealthy)) expect(event).toContain('Unhealthy early: Startup probe failed: ');

    await on.delete('ordered', 20);
    const gone = await on.ended('ordered');
    expect((await diary.words('ordered')).slice(8)).toEqual(
      ['main', 'late', 'early'].flatMap((name) => [`${name} TERM`, `${name} ends`]),
    );
    expect(gone.status?.phase).toBe('Succeeded');
    const killing = (await eventsOf(node, 'ordered')).filter((event) => event.startsWith('Killing'));
    expect([...killing].sort()).toEqual(stopsOf('early', 'late', 'main'));
  });

  it('a sidecar is restarted whatever the policy of the pod, and does not keep it from its end', async () => {
    const pod = await on.ended('never-alone');
    expect(await diary.words('never-alone')).toEqual([
      ...['side begins', 'main begins', 'side ends', 'side begins'],
      ...['main ends', 'side TERM', 'side ends'],
    ]);
    expect(pod.status?.phase).toBe('Succeeded');
    expect(restarts(pod, 'side', 'main')).toEqual([1, 0]);
    expect(statusOf(pod, 'side')).toMatchObject({
      state: { terminated: { exitCode: 0 } },
      lastState: { terminated: { exitCode: 3 } },
    });
    expect(conditions(pod)).toMatchObject({ Ready: 'PodCompleted', ContainersReady: 'PodCompleted' });
    expect(await eventsOf(node, 'never-alone')).toEqual([...startsOf('side', 'main'), ...stopsOf('side')]);
  });

  it('a sidecar that fails its liveness probe is restarted, and those beside it are not', async () => {
    const pod = await node.waitForPod(
      'unlively',
      'was restarted',
      (seen) => statusOf(seen, 'side')?.restartCount === 1,
    );
    expect(restarts(pod, 'side', 'main')).toEqual([1, 0]);
    await on.says('unlively', 'side begins', 2);
    expect(await diary.words('unlively')).toEqual([
      ...['side begins', 'main begins', 'side TERM', 'side ends', 'side begins'],
    ]);
    const events = await eventsOf(node, 'unlively');
    expect(events.filter((event) => !startsOf('side', 'main').includes(event)).slice(0, 2)).toEqual([
      'Unhealthy side: Liveness probe failed: ill\n',
      'Killing side: Init container side failed liveness probe',
    ]);
  });

  it('an init container that fails ends a pod of policy Never, with its message', async () => {
    const pod = await on.ended('init-never');
    expect(await diary.words('init-never')).toEqual(['init begins', 'init ends']);
    expect(pod.status?.phase).toBe('Failed');
    expect(statusOf(pod, 'init')?.state?.terminated).toMatchObject({ exitCode: 7, message: 'no database\n' });
    expect(statusOf(pod)?.state?.waiting).toEqual({ reason: 'PodInitializing' });
    expect(conditions(pod)).toMatchObject({ Initialized: 'ContainersNotInitialized', Ready: 'PodFailed' });
    expect(await eventsOf(node, 'init-never')).toEqual(startsOf('init'));
    await expectPodExplained(node, pod.metadata.name ?? '', 'failed', { page: 'failed-init' });
  });

  it('and is started again in one of policy Always: at once, then after a pause', async () => {
    const pod = await backingOff;
    const name = node.podName('init-always');
    expect(statusOf(pod, 'init')?.state?.waiting?.message).toBe(
      `back-off 10s restarting failed container=init pod=${name}_default(${on.uid('init-always')})`,
    );
    await on.says('init-always', 'main begins');
    const entries = await diary.entries('init-always');
    expect(entries.map(({ words }) => words)).toEqual([
      ...['init begins', 'init ends', 'init begins', 'init ends'],
      ...['init begins', 'init succeeds', 'main begins'],
    ]);
    const pauseAfter = (index: number): number => (entries[index + 1]?.atMs ?? 0) - (entries[index]?.atMs ?? 0);
    expect(pauseAfter(3)).toBeGreaterThan(9_500);
    const events = await eventsOf(node, 'init-always');
    expect(events).toContain(
      `BackOff init: Back-off restarting failed container init in pod ${name}_default(${on.uid('init-always')})`,
    );
    // The back-off is told after the second start, not before it.
    const about = `object="default/${name}"`;
    const told = (await node.log()).flatMap((line) =>
      line.includes(about) ? (/ reason="(Started|BackOff)"/.exec(line)?.[1] ?? []) : [],
    );
    expect(told.slice(0, 3)).toEqual(['Started', 'Started', 'BackOff']);
  });

  it('an ephemeral one starts in a pod that runs, with its target, and never again', async () => {
    await on.says('debugged', 'main begins');
    await on.update('debugged', (spec) => ({
      ...spec,
      ephemeralContainers: [
        {
          ...main({ name: 'debug', command: [...script('tr "\\0" " " < /proc/1/cmdline | cut -c 1-5; exit 5')] }),
          targetContainerName: 'main',
          terminationMessagePolicy: 'FallbackToLogsOnError',
        },
      ],
    }));
    const pod = await node.waitForPod(
      'debugged',
      'has been debugged',
      (seen) => statusOf(seen, 'debug')?.state?.terminated !== undefined,
    );
    // Process 1 is that of the target, not its own.
    expect(statusOf(pod, 'debug')).toMatchObject({
      restartCount: 0,
      state: { terminated: { exitCode: 5, message: 'sh -c\n' } },
    });
    expect(pod.status?.phase).toBe('Running');
    expect(await eventsOf(node, 'debugged')).toEqual(startsOf('main', 'debug'));
    expect(await diary.words('debugged')).toEqual(['main begins']);
    expect(await bed().runtime.containers(node.podName('debugged'))).toHaveLength(2);
  });

  it('those with a restart policy and rules of their own follow them', async () => {
    const pod = await on.ended('ruled');
    const words = await diary.words('ruled');
    for (const [name, times] of [
      ['ruled', 2],
      ['unruled', 1],
      ['repeated', 2],
    ] as const)
      expect([name, words.filter((each) => each === `${name} begins`).length]).toEqual([name, times]);
    expect(restarts(pod, 'ruled', 'unruled', 'repeated')).toEqual([1, 0, 1]);
    expect(statusOf(pod, 'ruled')?.lastState?.terminated?.exitCode).toBe(42);
    // One of them has failed for good.
    expect(pod.status?.phase).toBe('Failed');
  });

  it('a rule restarts them all, in the order of a new pod', async () => {
    await on.says('all-again', 'main begins', 2);
    await on.says('all-again', 'other begins', 2);
    const beginning = ['init begins', 'init ends', 'side begins', 'main begins', 'other begins'];
    const words = await diary.words('all-again');
    const again = words.lastIndexOf('init begins');
    expect(words.slice(0, 3)).toEqual(beginning.slice(0, 3));
    expect([...words.slice(0, 5)].sort()).toEqual([...beginning].sort());
    expect(words.slice(5, again)).toEqual(['main fails', 'other TERM', 'other ends', 'side TERM', 'side ends']);
    expect(words.slice(again, again + 3)).toEqual(beginning.slice(0, 3));
    const isBack = (pod: Pod): boolean =>
      ['main', 'other', 'side'].every((name) => statusOf(pod, name)?.state?.running !== undefined) &&
      pod.status?.phase === 'Running';
    const pod = await node.waitForPod('all-again', 'is back', isBack);
    expect(restarts(pod, 'init', 'side', 'main', 'other')).toEqual([1, 1, 1, 1]);
    await node.waitForPod('all-again', 'restarts no more', (seen) => {
      const condition = seen.status?.conditions?.find(({ type }) => type === 'AllContainersRestarting');
      return condition?.status === 'False';
    });
    const events = await eventsOf(node, 'all-again');
    expect(events.filter((event) => event.startsWith('Killing'))).toEqual([
      'Killing other: killing',
      'Killing side: killing',
    ]);
    // What each had when it was removed.
    const lastState = (name: string): unknown => statusOf(pod, name)?.lastState?.terminated?.reason;
    expect(['init', 'side', 'main', 'other'].map(lastState)).toEqual(Array(4).fill('RestartingAllContainers'));
  });
});
