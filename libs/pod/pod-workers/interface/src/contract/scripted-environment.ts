import type { RuntimePod, RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { PodCache } from '@podwright/pod-cache-interface';
import { VolatilePodCheckpoints } from '@podwright/pod-checkpoint-interface/contract';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import type { Random } from '@podwright/time';

export interface SyncCall {
  readonly name: 'sync' | 'terminating' | 'terminating-runtime' | 'terminated';
  readonly uid: string;
  readonly pod?: Pod;
  readonly updateType?: string;
  readonly gracePeriodSeconds?: number;
  readonly overrideStatus?: (status: PodStatus) => PodStatus;
  readonly signal?: AbortSignal;
}

/** The workers' dependencies, controlled by a test: it records their calls and scripts the outcomes. */
export interface ScriptedEnvironment {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly syncer: PodSyncer;
  readonly cache: PodCache;
  readonly events: EventRecorder;
  /** A new instance with the same content replaces it when a test kills the process. */
  checkpoints: VolatilePodCheckpoints;
  readonly calls: SyncCall[];
  readonly recorded: { readonly reason: string; readonly message: string }[];
  /** The arguments of each `PodCache.getNewerThan` call. */
  readonly statusWanted: { readonly uid: string; readonly minTimeMs: number }[];
  /** Decides the outcome of each call; `terminal` matters for `sync` only. Default: success, not terminal. */
  onCall: (call: SyncCall) => Promise<{ readonly terminal: boolean }>;
  onStatus: (uid: string) => Promise<RuntimePodStatus>;
  /** The answers of `PodCache.get`. */
  cached: (uid: string) => RuntimePodStatus;
}

export function emptyStatus(uid: string): RuntimePodStatus {
  return { uid, name: '', namespace: '', ips: [], containers: [], sandboxes: [] };
}

export function createScriptedEnvironment(): ScriptedEnvironment {
  const clock = new VirtualClock();
  const call = async (made: SyncCall): Promise<{ readonly terminal: boolean }> => {
    environment.calls.push(made);
    return environment.onCall(made);
  };
  const uidOf = (pod: Pod): string => pod.metadata.uid ?? '';
  const syncer: PodSyncer = {
    syncPod: ({ pod, updateType }, signal) => call({ name: 'sync', uid: uidOf(pod), pod, updateType, signal }),
    syncTerminatingPod: async ({ pod, gracePeriodSeconds, overrideStatus }) => {
      const given = {
        ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
        ...(overrideStatus !== undefined && { overrideStatus }),
      };
      await call({ name: 'terminating', uid: uidOf(pod), pod, ...given });
    },
    syncTerminatingRuntimePod: async (runningPod: RuntimePod) => {
      await call({ name: 'terminating-runtime', uid: runningPod.uid });
    },
    syncTerminatedPod: async (pod, _status, signal) => {
      await call({ name: 'terminated', uid: uidOf(pod), pod, signal });
    },
  };
  const environment: ScriptedEnvironment = {
    clock,
    random: createSeededRandom('pod-workers'),
    syncer,
    cache: {
      get: (uid) => environment.cached(uid),
      getNewerThan: (uid, minTimeMs) => {
        environment.statusWanted.push({ uid, minTimeMs });
        return environment.onStatus(uid);
      },
    },
    events: { event: (_object, _type, reason, message) => void environment.recorded.push({ reason, message }) },
    checkpoints: new VolatilePodCheckpoints(),
    calls: [],
    recorded: [],
    statusWanted: [],
    onCall: async () => ({ terminal: false }),
    onStatus: async (uid) => emptyStatus(uid),
    cached: emptyStatus,
  };
  return environment;
}
