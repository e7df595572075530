import { afterEach, describe, expect, it } from '@jest/globals';
import { NODE_SHUTDOWN_MANAGER } from '@podwright/node-shutdown-interface';
import type { Pod } from '@podwright/kube-types';
import { simulatedPod } from '../simulated-pod.js';
import { PodScene } from './pod-scene.js';

const message = 'Pod was terminated in response to imminent node shutdown.';

describe('graceful node shutdown, announced by SIGTERM', () => {
  let scene: PodScene;
  let announcedAtMs = 0;
  afterEach(() => scene.close());

  const podOf = (name: string, priority: number | undefined, grace = 30): Pod =>
    simulatedPod(name, {
      terminationGracePeriodSeconds: grace,
      ...(priority !== undefined && { priority }),
    });
  const shutDown = async (pods: readonly Pod[], configuration: object): Promise<void> => {
    scene = await PodScene.create({
      configuration,
      options: { '@podwright/node-shutdown': { endPodsOnTermination: true, busAddress: 'unix:path=/absent' } },
    });
    await scene.node.boot();
    scene.programs.set('main', { onStop: 'ignore' });
    scene.node.want(...pods);
    await scene.node.until(() => pods.every((pod) => scene.node.isReady(pod)));
    scene.forget();
    announcedAtMs = scene.node.clock.now();
    await scene.node.finish(scene.node.part(NODE_SHUTDOWN_MANAGER).handleTermination());
  };
  /** `<pod> <grace> +<start of its group>`, seconds after the announcement; a worker takes up to a second to see it. */
  const stops = (starts: readonly number[]): readonly string[] =>
    scene.node.runtime.calls
      .of('stopContainer')
      .map(({ subjects, request, startedAtMs }) => {
        const uid = subjects.find((subject) => subject.startsWith('uid-')) ?? '';
        const seconds = (startedAtMs - announcedAtMs) / 1_000;
        const group = starts.find((start) => seconds >= start && seconds <= start + 1.5);
        return `${uid.slice(4)} ${(request as { timeout?: bigint }).timeout} +${group ?? seconds}`;
      })
      .sort();

  it.each([
    {
      row: 'derived from the two durations: priority 0 gets total - critical, 2000000000 gets critical',
      configuration: { shutdownGracePeriod: '20s', shutdownGracePeriodCriticalPods: '5s' },
      pods: [podOf('low', undefined), podOf('critical', 2_000_000_000)],
      ends: 15,
      expected: ['critical 5 +15', 'low 15 +0'],
    },
    {
      row: 'Grace: min(group period, pod terminationGracePeriodSeconds)',
      configuration: { shutdownGracePeriod: '20s', shutdownGracePeriodCriticalPods: '5s' },
      pods: [podOf('short', 0, 4), podOf('long', 0, 60)],
      ends: 15,
      expected: ['long 15 +0', 'short 4 +0'],
    },
    {
      row: 'Groups: ascending priority; highest entry <= its priority (lowest entry if none); one after the other',
      configuration: {
        shutdownGracePeriodByPodPriority: [
          { priority: 100, shutdownGracePeriodSeconds: 6 },
          { priority: 10, shutdownGracePeriodSeconds: 4 },
        ],
      },
      pods: [podOf('high', 500), podOf('border', 100), podOf('below', 1), podOf('between', 99)],
      ends: 4,
      expected: ['below 4 +0', 'between 4 +0', 'border 6 +4', 'high 6 +4'],
    },
  ])('$row', async ({ configuration, pods, ends, expected }) => {
    await shutDown(pods, configuration);
    expect(stops([0, ends])).toEqual(expected);
  });

  it('Group end: all pods killed, earlier than the period where they end earlier', async () => {
    const pods = [podOf('low', 0, 3), podOf('critical', 2_000_000_000, 3)];
    await shutDown(pods, { shutdownGracePeriod: '60s', shutdownGracePeriodCriticalPods: '20s' });
    expect(stops([0, 3, 4.5])).toEqual([expect.stringMatching(/^critical 3 \+(3|4.5)$/) as unknown, 'low 3 +0']);
  });

  it('Status: phase Failed, reason Terminated, message, DisruptionTarget TerminationByKubelet with the same message', async () => {
    const pod = podOf('web', 0, 2);
    await shutDown([pod], { shutdownGracePeriod: '20s', shutdownGracePeriodCriticalPods: '5s' });
    expect(scene.node.status(pod)).toMatchObject({ phase: 'Failed', reason: 'Terminated', message });
    const condition = scene.node.status(pod)?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    expect(condition).toMatchObject({ status: 'True', reason: 'TerminationByKubelet', message });
  });

  it('admission 9: NodeShutdown, `Pod was rejected as the node is shutting down.`', async () => {
    await shutDown([podOf('web', 0, 2)], { shutdownGracePeriod: '20s', shutdownGracePeriodCriticalPods: '5s' });
    const late = simulatedPod('late');
    scene.node.want(late);
    await scene.pass();
    expect(scene.node.status(late)).toMatchObject({ phase: 'Failed', reason: 'NodeShutdown' });
    expect(scene.node.status(late)?.message).toBe('Pod was rejected: Pod was rejected as the node is shutting down.');
  });
});
