import type { Pod, PodSource } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { DeliverPods, PodSourceReader } from '@podwright/pod-config-interface';
import type { Prober, ProbeOutcome, Probers } from '@podwright/probe-interface';
import type { ImageFsStats, StatsProvider } from '@podwright/stats-interface';
import type { Clock, Random, Timer } from '@podwright/time';
import { probeKey } from '../seams/recorded-inputs.js';
import { stableJson } from '../seams/call-key.js';
import type { ReplayedWorld } from './replayed-world.js';

/**
 * Makes each random pause nearly as short as it can be: the replayed kubelet then asks no later than the recorded one did,
 * and the answer comes at its instant. What was drawn is not recorded, because keys are made of it.
 */
export const leastRandom = (others: Random): Random => ({
  next: () => others.next() / 1_000,
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

// One delivery of a source is reported as several updates at one instant.
const oneDeliveryMs = 5;

/** The sources of pods. The API server delivers through its watch; what came before that was remembered. */
export function replayedSources({ pods, usesApi }: ReplayedWorld, clock: Clock): readonly PodSourceReader[] {
  const sources = [...new Set(pods.map(({ source }) => source))];
  return sources.map((source) =>
    replayedSource(
      { source, as: source === 'api' && usesApi ? 'remembered' : 'current' },
      deliveriesOf(pods.filter((each) => each.source === source)),
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
