import type { Pod, PodSource } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { DeliverPods, PodSourceReader } from '@podwright/pod-config-interface';
import type { PodWorkQueue } from '@podwright/pod-workers-interface';
import type { Prober, ProbeOutcome, Probers } from '@podwright/probe-interface';
import type { ImageFsStats, StatsProvider } from '@podwright/stats-interface';
import type { Clock, Random, Timer } from '@podwright/time';
import { isRecordedHook, probeKey } from '../seams/recorded-inputs.js';
import { stableJson } from '../seams/call-key.js';
import type { ReplayedWorld } from './replayed-world.js';

/**
 * A number with a name is the one that was recorded under it. Any other makes its pause nearly as short as it can be: the
 * replayed kubelet then asks no later than the recorded one did, and the answer comes at its instant.
 */
export const replayedRandom = (world: ReplayedWorld, others: Random): Random => ({
  next: (of) => (of === undefined ? undefined : world.drawn(of)) ?? others.next() / 1_000,
  hex: (bytes) => others.hex(bytes),
});

export function replayedProbers(world: ReplayedWorld): Probers {
  const prober = <A>(method: keyof Probers): Prober<A> => ({
    probe: (action, target, _timeoutMs, signal) =>
      world.call(
        { seam: 'probe', method, key: probeKey(action, target) },
        { signal, changes: true },
      ) as Promise<ProbeOutcome>,
  });
  return {
    exec: prober('exec'),
    httpGet: prober('httpGet'),
    tcpSocket: prober('tcpSocket'),
    grpc: prober('grpc'),
  };
}

/** Hooks over the network would ask whoever has the pod's address now. */
export const replayedHooks = (world: ReplayedWorld, inner: LifecycleHooks): LifecycleHooks => ({
  run: async (hook, pod, container, containerId, signal, options) => {
    if (!isRecordedHook(hook, container)) return inner.run(hook, pod, container, containerId, signal, options);
    await world.call({ seam: 'hook', method: hook, key: containerId }, { signal, changes: true });
  },
});

export const replayedSummary =
  (world: ReplayedWorld): StatsProvider['summary'] =>
  ({ onlyCpuAndMemory, podUids, signal } = {}) =>
    world.call(
      { seam: 'stats', method: 'summary', key: stableJson({ onlyCpuAndMemory, podUids }) },
      { signal, changes: false },
    ) as ReturnType<StatsProvider['summary']>;

export const replayedImageFsStats =
  (world: ReplayedWorld): ImageFsStats['imageFsStats'] =>
  (signal) =>
    world.call({ seam: 'stats', method: 'imageFsStats', key: '' }, { signal, changes: false }) as ReturnType<
      ImageFsStats['imageFsStats']
    >;

/** A pod of a snapshot is looked at again when the recorded kubelet did: a sync before the snapshot had decided that. */
export function replayedWorkQueue(world: ReplayedWorld, inner: PodWorkQueue): PodWorkQueue {
  const begun = new Set(world.pods.filter(({ snapshot }) => snapshot).flatMap(({ pods }) => pods.map(podUid)));
  return {
    requeue: (uid, delayMs) =>
      inner.requeue(uid, (begun.delete(uid) ? world.untilDrawnMs(`sync ${uid}`) : undefined) ?? delayMs),
    enqueue: (uid, delayMs) => inner.enqueue(uid, delayMs),
    watch: (listener) => inner.watch(listener),
  };
}

// One delivery of a source is reported as several updates at one instant.
const oneDeliveryMs = 5;

/** The sources of pods. The API server delivers through its watch; what came before that was remembered. */
export function replayedSources(
  { pods, usesApi, listeningMs = -Infinity }: ReplayedWorld,
  clock: Clock,
): readonly PodSourceReader[] {
  const sources = [...new Set(pods.map(({ source }) => source))];
  return sources.map((source) =>
    replayedSource(
      { source, as: source === 'api' && usesApi ? 'remembered' : 'current' },
      // What a source had when the loop began waits for the loop.
      deliveriesOf(pods.filter((each) => each.source === source)).map((delivery) =>
        delivery.at < listeningMs ? { ...delivery, at: 0 } : delivery,
      ),
      clock,
    ),
  );
}

interface Delivery {
  readonly at: number;
  readonly pods: readonly Pod[];
}

function deliveriesOf(updates: ReplayedWorld['pods']): readonly Delivery[] {
  const known = new Map<string, Pod>();
  const deliveries: Delivery[] = [];
  for (const { at, op, pods } of updates) {
    for (const pod of pods) {
      if (op === 'REMOVE') known.delete(podUid(pod));
      else known.set(podUid(pod), pod);
    }
    const last = deliveries.at(-1);
    if (last !== undefined && at - last.at < oneDeliveryMs) deliveries.pop();
    deliveries.push({
      at: last !== undefined && at - last.at < oneDeliveryMs ? last.at : at,
      pods: [...known.values()],
    });
  }
  return deliveries;
}

function replayedSource(
  { source, as }: { readonly source: PodSource; readonly as: Parameters<DeliverPods>[1] },
  deliveries: readonly Delivery[],
  clock: Clock,
): PodSourceReader {
  let timers: readonly Timer[] = [];
  return {
    source,
    open: async (deliver) => {
      timers = deliveries.map(({ at, pods }) => clock.setTimer(at - clock.monotonic(), () => deliver(pods, as)));
    },
    close: async () => {
      for (const timer of timers) timer.cancel();
    },
  };
}
