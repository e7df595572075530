import type { Container } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { Prober, ProbeOutcome, Probers, ProbeTarget } from '@podwright/probe-interface';
import type { ImageFsStats, StatsProvider } from '@podwright/stats-interface';
import type { Random } from '@podwright/time';
import { maskProbeAction } from '../redact/mask-pod.js';
import { maskProbeOutcome } from '../redact/mask-probe-outcome.js';
import type { RecordingTape } from '../tape/recording-tape.js';
import { shortHash, stableJson } from './call-key.js';
import { recordedCalls } from './recorded-calls.js';
import { standIn } from './stand-in.js';

/** The pods of the API server are in its watch; before it, they come from the disk, and without it, from a module. */
export function recordedPodConfig(inner: PodConfig, tape: RecordingTape): PodConfig {
  const watch: PodConfig['watch'] = (listener) => {
    const unwatch = inner.watch((update) => {
      if (update.source !== 'api' || !tape.watchesPods) tape.pods(update);
      listener(update);
    });
    // The sync loop begins to hear of pods and of containers at one instant. What the sources had by then is before it.
    tape.listening();
    return unwatch;
  };
  return standIn(inner, (name, value) => (name === 'watch' ? watch : value));
}

/** A hook over the network: the runtime has the calls of the others. */
export const isRecordedHook = (hook: 'postStart' | 'preStop', { lifecycle }: Container): boolean =>
  lifecycle?.[hook]?.httpGet !== undefined;

export const recordedHooks = (inner: LifecycleHooks, tape: RecordingTape): LifecycleHooks =>
  recordedCalls(inner, tape, {
    asked: (method, args) => {
      const [hook, , container, key] = args as Parameters<LifecycleHooks['run']>;
      return method === 'run' && isRecordedHook(hook, container) ? { seam: 'hook', method: hook, key } : undefined;
    },
    kept: () => null,
  });

/** Numbers with a name only: of the others, names and keys are made. */
export const recordedRandom = (inner: Random, tape: RecordingTape): Random => ({
  next: (of) => {
    const value = inner.next(of);
    if (of !== undefined) tape.drawn(of, value);
    return value;
  },
  hex: (bytes) => inner.hex(bytes),
});

export const recordedStats = (inner: StatsProvider, tape: RecordingTape): StatsProvider =>
  recordedCalls(inner, tape, {
    asked: (method, [options = {}]) => {
      if (method !== 'summary') return undefined;
      const { onlyCpuAndMemory, podUids } = options as NonNullable<Parameters<StatsProvider['summary']>[0]>;
      return { seam: 'stats', method, key: stableJson({ onlyCpuAndMemory, podUids }) };
    },
    kept: (_method, answer) => answer,
  });

export const recordedImageFsStats = (inner: ImageFsStats, tape: RecordingTape): ImageFsStats =>
  recordedCalls(inner, tape, {
    asked: (method) => (method === 'imageFsStats' ? { seam: 'stats', method, key: '' } : undefined),
    kept: (_method, answer) => answer,
  });

export const probeKinds = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const satisfies readonly (keyof Probers)[];

/** An attempt is known by its container and by what is done; what is done is kept as a hash. */
export const probeKey = (action: unknown, { containerId }: Pick<ProbeTarget, 'containerId'>): string =>
  `${containerId}/${shortHash(maskProbeAction(action))}`;

export function recordedProbers(inner: Probers, tape: RecordingTape): Probers {
  const recorded = <A>(method: keyof Probers, prober: Prober<A>): Prober<A> => ({
    probe: async (action, target, timeoutMs, signal): Promise<ProbeOutcome> => {
      const begun = tape.begin({ seam: 'probe', method, key: probeKey(action, target) });
      try {
        const outcome = await prober.probe(action, target, timeoutMs, signal);
        tape.answered(begun, maskProbeOutcome(method, outcome));
        return outcome;
      } catch (error) {
        tape.failed(begun, error);
        throw error;
      }
    },
  });
  return {
    exec: recorded('exec', inner.exec),
    httpGet: recorded('httpGet', inner.httpGet),
    tcpSocket: recorded('tcpSocket', inner.tcpSocket),
    grpc: recorded('grpc', inner.grpc),
  };
}
