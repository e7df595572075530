import { describe, expect, it } from '@jest/globals';
import type { PodResourceState } from '@podwright/allocation-interface';
import type { RuntimeContainerState, RuntimePodStatus, SyncResult } from '@podwright/container-runtime-interface';
import type { Pod, PodSpec, ResourceRequirements } from '@podwright/kube-types';
import { createFakeConditions } from './fixtures/fake-resizes.js';
import { ResizeProgress } from './resize-progress.js';

const limits = (cpu: string): ResourceRequirements => ({ limits: { cpu } });
const podWith = (resources: ResourceRequirements, spec: Partial<PodSpec> = {}, annotations = {}): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1', generation: 2, annotations },
  spec: { containers: [{ name: 'app', image: 'app:1', resources }], ...spec },
});
const statusOf = (states: Readonly<Record<string, RuntimeContainerState>>): RuntimePodStatus =>
  ({
    containers: Object.entries(states).map(([name, state]) => ({ name, state })),
  }) as unknown as RuntimePodStatus;
const running = statusOf({ app: 'running' });

function createHarness(has?: PodResourceState, podLevelResize = true, granted?: Pod) {
  const events: string[] = [];
  const conditions = createFakeConditions();
  const recorded: ResourceRequirements[] = [];
  const actuated = {
    of: () => has,
    setPod: async (_uid: string, each: ResourceRequirements) => void recorded.push(each),
  };
  const recorder = {
    event: (_object: unknown, type: string, reason: string, message: string) =>
      void events.push(`${type} ${reason}: ${message}`),
  };
  return {
    events,
    conditions,
    recorded,
    progress: new ResizeProgress(
      {
        resizeConditions: conditions,
        allocated: { withAllocation: (pod) => granted ?? pod },
        actuated,
        events: recorder,
      },
      {
        podLevelResize,
      },
    ),
  };
}

describe('ResizeProgress', () => {
  it.each<[string, Pod, PodResourceState | undefined, RuntimePodStatus, boolean]>([
    ['nothing differs', podWith(limits('1')), { containers: { app: limits('1000m') } }, running, false],
    ['a limit differs', podWith(limits('2')), { containers: { app: limits('1') } }, running, true],
    ['a request differs', podWith({ requests: { memory: '1' } }), { containers: { app: {} } }, running, true],
    ['zero stands for none', podWith({}), { containers: { app: limits('0') } }, running, false],
    ['what does not run counts for nothing', podWith(limits('2')), undefined, statusOf({ app: 'exited' }), false],
    ['a static pod', podWith(limits('2'), {}, { 'kubernetes.io/config.source': 'file' }), undefined, running, false],
    ['another resource', podWith({ limits: { 'a/b': '2' } }), { containers: { app: {} } }, running, false],
    [
      'a sidecar',
      podWith({}, { initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always', resources: limits('2') }] }),
      { containers: { app: {}, s: limits('1') } },
      statusOf({ app: 'running', s: 'running' }),
      true,
    ],
    [
      'no plain init container',
      podWith({}, { initContainers: [{ name: 'i', image: 'i', resources: limits('2') }] }),
      undefined,
      statusOf({ i: 'running' }),
      false,
    ],
    [
      'the limit of the pod is that of its containers',
      podWith({}, { resources: limits('2') }),
      { containers: { app: limits('2') }, pod: limits('2') },
      running,
      false,
    ],
    [
      'the pod level',
      podWith(limits('1'), { resources: limits('2') }),
      { containers: { app: limits('1') }, pod: limits('1') },
      running,
      true,
    ],
  ])('%s', (_what, pod, has, status, expected) => {
    const { conditions, progress } = createHarness(has);
    progress.observe(pod, status);
    expect(conditions.of('uid-1').map(({ type }) => type)).toEqual(expected ? ['PodResizeInProgress'] : []);
    expect(progress.conditionsOf(pod)).toEqual(conditions.of('uid-1'));
  });

  it('tells once that a resize has ended, with its generation', () => {
    const { conditions, events, progress } = createHarness({ containers: { app: limits('2') } });
    const pod = podWith(limits('2'));
    conditions.setInProgress({ ...pod, metadata: { ...pod.metadata, generation: 1 } }, '', '');
    progress.observe(pod, running);
    progress.observe(pod, running);
    expect(events).toEqual([
      'Normal ResizeCompleted: Pod resize completed: {"containers":[{"name":"app","resources":{"limits":{"cpu":"2"}}}],"generation":1}',
    ]);
  });

  it.each<[string, RuntimePodStatus]>([
    ['that runs', running],
    ['whose container has ended', statusOf({ app: 'exited' })],
  ])(
    'does not take the sync of an older pod %s for the end of a resize that was granted meanwhile',
    (_what, status) => {
      const { conditions, events, progress } = createHarness(
        { containers: { app: limits('1') } },
        true,
        podWith(limits('2')),
      );
      conditions.setInProgress(podWith(limits('2')), '', '');
      progress.observe(podWith(limits('1')), status);
      expect(conditions.of('uid-1')).toHaveLength(1);
      expect(events).toEqual([]);
    },
  );

  it('tells an error of a resize once, and keeps it until the resize has ended', () => {
    const { conditions, events, progress } = createHarness({ containers: { app: limits('1') } });
    const pod = podWith(limits('2'));
    const failed: SyncResult = {
      action: 'ResizePodInPlace',
      target: 'web',
      error: { reason: 'ResizePodInPlaceError', message: 'busy' },
    };
    progress.observe(pod, running);
    const start: SyncResult = { action: 'StartContainer', target: 'app', error: { reason: 'x', message: 'y' } };
    expect(progress.note(pod, [failed, start])).toBe(true);
    progress.observe(pod, running);
    // A second look would bring a sync at once, which fails again, and so on without a pause.
    expect(progress.note(pod, [failed])).toBe(false);
    expect(progress.note(pod, [start])).toBe(false);
    expect(progress.note(pod, [{ action: 'ResizePodInPlace', target: 'web' }])).toBe(true);
    expect(conditions.of('uid-1')).toMatchObject([{ reason: 'Error', message: 'busy', observedGeneration: 2 }]);
    expect(events).toEqual([
      'Warning ResizeError: Pod resize error: {"containers":[{"name":"app","resources":{"limits":{"cpu":"2"}}}],"generation":2,"error":"busy"}',
    ]);
  });

  it('records the pod level when the cgroup is made, and only then', async () => {
    const { recorded, progress } = createHarness();
    await progress.recordPodCgroup(podWith({}));
    await progress.recordPodCgroup(podWith({}, { resources: {} }));
    await progress.recordPodCgroup(podWith({}, { resources: limits('1') }));
    expect(recorded).toEqual([limits('1')]);
  });

  it('does not look at the pod level with its gate off', () => {
    const { conditions, progress } = createHarness({ containers: { app: limits('1') }, pod: limits('1') }, false);
    progress.observe(podWith(limits('1'), { resources: limits('2') }), running);
    expect(conditions.of('uid-1')).toEqual([]);
  });
});
