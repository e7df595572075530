import { describe, expect, it } from '@jest/globals';
import type { Pod, PodSpec, PodStatus } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { PodStartDurations } from './pod-start-durations.js';

const at = (seconds: number): string => new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000).toISOString();
const containers = [{ name: 'a' }];

function setUp() {
  const clock = new VirtualClock();
  const metrics = createMetricsRegistry();
  const starts = new PodStartDurations({ clock, metrics });
  const createdAt = new Date(clock.now()).toISOString();
  const pod = (status: object = {}, spec: Partial<PodSpec> = {}, uid = 'u1'): Pod => ({
    metadata: { name: uid, uid, creationTimestamp: createdAt },
    spec: { containers, ...spec },
    status: status as PodStatus,
  });
  const running = (more: object = {}): object => ({
    phase: 'Running',
    startTime: createdAt,
    containerStatuses: [{ name: 'a', state: { running: { startedAt: createdAt } } }],
    ...more,
  });
  const read = async (): Promise<readonly string[]> =>
    (await metrics.render()).split('\n').filter((line) => /^kubelet_.*(_sum|first_network\S*) /.test(line));
  return { clock, starts, pod, running, read };
}

const shown = (sli: number, total: number, first: number): readonly string[] => [
  `kubelet_first_network_pod_start_sli_duration_seconds ${first}`,
  `kubelet_pod_start_sli_duration_seconds_sum ${sli}`,
  `kubelet_pod_start_total_duration_seconds_sum ${total}`,
];

describe('PodStartDurations', () => {
  it('measures from the creation until the watch shows all containers running, once', async () => {
    const { clock, starts, pod, running, read } = setUp();
    starts.observe(pod());
    await clock.advance(3000);
    starts.observe(pod({ phase: 'Pending', containerStatuses: [{ name: 'a', state: { waiting: {} } }] }));
    expect(await read()).toEqual(shown(0, 0, 0));
    await clock.advance(2000);
    for (let times = 0; times < 3; times++) starts.observe(pod(running()));
    expect(await read()).toEqual(shown(5, 5, 5));
  });

  it('takes pulls, which may overlap, and init containers off', async () => {
    const { clock, starts, pod, running, read } = setUp();
    starts.observe(pod());
    await clock.advance(1000);
    starts.imagePullStarted('u1');
    await clock.advance(1000);
    starts.imagePullStarted('u1'); // 2 s
    await clock.advance(2000);
    starts.imagePullFinished('u1'); // 1 s to 4 s
    await clock.advance(1000);
    starts.imagePullFinished('u1'); // 2 s to 5 s: 4 s in all
    starts.imagePullFinished('u1');
    starts.imagePullFinished('nobody');
    await clock.advance(5000);
    const initContainerStatuses = [{ name: 'i', state: { terminated: { startedAt: at(5), finishedAt: at(8) } } }];
    starts.observe(pod(running({ initContainerStatuses })));
    expect(await read()).toEqual(shown(3, 10, 3));
  });

  it.each<[string, (set: ReturnType<typeof setUp>) => void]>([
    ['that ran before', ({ starts, pod, running }) => starts.observe(pod(running()))],
    [
      'for which there was no node',
      ({ starts, pod }) => starts.observe(pod({ conditions: [{ type: 'PodScheduled', status: 'False' }] })),
    ],
    [
      'that failed',
      ({ starts, pod }) => {
        starts.observe(pod());
        starts.observe(pod({ phase: 'Failed', startTime: at(0) }));
      },
    ],
  ])('leaves out a pod %s', async (_, before) => {
    const set = setUp();
    before(set);
    await set.clock.advance(1000);
    set.starts.observe(set.pod(set.running()));
    expect(await set.read()).toEqual(shown(0, 0, 0));
  });

  it('measures pods with storage of their own in the total only, and the first one with a network alone', async () => {
    const { clock, starts, pod, running, read } = setUp();
    const all: readonly (readonly [string, Partial<PodSpec>])[] = [
      ['stateful', { volumes: [{ name: 'v', hostPath: { path: '/v' } }] }],
      ['host', { hostNetwork: true, volumes: [{ name: 'v', emptyDir: {} }] }],
      ['first', {}],
      ['second', {}],
    ];
    for (const [uid, spec] of all) {
      starts.observe(pod({}, spec, uid));
      await clock.advance(1000);
      starts.observe(pod(running(), spec, uid));
    }
    expect(await read()).toEqual(shown(2 + 3 + 4, 1 + 2 + 3 + 4, 3));
  });

  it('forgets pods that nobody knows, after a while', async () => {
    const { clock, starts, pod, running, read } = setUp();
    for (const uid of ['gone', 'there']) starts.observe(pod({}, {}, uid));
    starts.forgetAllBut(() => false);
    await clock.advance(61_000);
    starts.forgetAllBut((uid) => uid === 'there');
    for (const uid of ['gone', 'there']) starts.observe(pod(running(), {}, uid));
    expect(await read()).toEqual(shown(61, 61, 61));
  });
});
