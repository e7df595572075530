import { breaksIn, describeContractProof } from '@podwright/contract';
import { describePodCacheContract } from '@podwright/pod-cache-interface/contract';
import type { PodCacheHarness } from '@podwright/pod-cache-interface/contract';
import { createMemoryPodCache } from './memory-pod-cache.module.js';

const create = (): PodCacheHarness => {
  const cache = createMemoryPodCache();
  return { cache, writer: cache };
};

describeContractProof('PodCache', (broken) => describePodCacheContract('broken', broken), create, {
  'gives an empty status for a pod that nobody wrote': {
    'the status does not name the pod': breaksIn('cache', (cache) => ({
      get: (podUid) => ({ ...cache.get(podUid), uid: '' }),
    })),
  },
  'gives what was written, and the error when an inspection failed': {
    'no status is kept': breaksIn('writer', () => ({ set: () => undefined })),
    'no error is kept': breaksIn('writer', (writer) => ({
      set: (podUid, outcome, atMs) => ('error' in outcome ? undefined : writer.set(podUid, outcome, atMs)),
    })),
    'who waits gets a status instead of the error': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs, signal) =>
        cache.getNewerThan(podUid, minTimeMs, signal).catch(() => cache.get('unknown')),
    })),
  },
  'ignores an observation older than the one it has': {
    'the last one written counts': breaksIn('writer', (writer) => ({
      set: (podUid, outcome) => writer.set(podUid, outcome, 100),
    })),
  },
  'forgets a deleted pod': {
    'delete does nothing': breaksIn('writer', () => ({ delete: () => undefined })),
  },
  'waits for an observation after the given time, not at it': {
    'one at that time will do': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs, signal) => cache.getNewerThan(podUid, minTimeMs - 1, signal),
    })),
    'a write wakes nobody': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs, signal) => cache.getNewerThan(podUid, minTimeMs + 1, signal),
    })),
  },
  'takes the time of the whole cache for pods that were not written': {
    'the time of the whole cache is not kept': breaksIn('writer', () => ({ advance: () => undefined })),
    'the whole cache at that time will do': breaksIn('writer', (writer) => ({
      advance: (timeMs) => writer.advance(timeMs + 1),
    })),
    'it counts for pods that were written only': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs, signal) =>
        cache.getNewerThan(podUid, podUid === 'unknown' ? Infinity : minTimeMs, signal),
    })),
  },
  'does not call a pod fresh whose inspection is due': {
    'every pod is as fresh as the whole cache': breaksIn('writer', (writer) => ({
      advance: (timeMs) => writer.advance(timeMs),
    })),
    'a pod that was left out stays so': breaksIn('writer', (writer) => ({
      advance: (timeMs, except) => writer.advance(timeMs, timeMs === 40 ? new Set(['p']) : except),
    })),
    'a pod that is left out has no age at all': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs, signal) =>
        cache.getNewerThan(podUid, minTimeMs === 9 ? Infinity : minTimeMs, signal),
    })),
  },
  'takes a confirmation as a new observation of the same status': {
    'confirm does nothing': breaksIn('writer', () => ({ confirm: () => undefined })),
    'a confirmation keeps an entry of an unknown pod': breaksIn('writer', (writer) => ({
      confirm: (podUid, atMs) => {
        writer.confirm(podUid, atMs);
        if (podUid === 'unknown') writer.advance(atMs);
      },
    })),
  },
  'answers who waits for a pod that was seen to be absent': {
    'only known pods are confirmed': breaksIn('writer', () => ({ confirm: () => undefined })),
    'absence at that time will do': breaksIn('writer', (writer) => ({
      confirm: (podUid, atMs) => writer.confirm(podUid, atMs + 1),
    })),
  },
  'waits for the first write even when any time will do': {
    'an empty cache answers at once': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid) => Promise.resolve(cache.get(podUid)),
    })),
    'the first write does not count': breaksIn('writer', () => ({ advance: () => undefined })),
  },
  'ends a wait with the reason of the signal': {
    'the signal is not listened to': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs) => cache.getNewerThan(podUid, minTimeMs, new AbortController().signal),
    })),
    'the error is one of its own': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs, signal) =>
        cache.getNewerThan(podUid, minTimeMs, signal).catch(() => Promise.reject(new Error('aborted'))),
    })),
    'a signal that has fired before is overlooked': breaksIn('cache', (cache) => ({
      getNewerThan: (podUid, minTimeMs, signal) =>
        signal.aborted ? new Promise(() => undefined) : cache.getNewerThan(podUid, minTimeMs, signal),
    })),
  },
});
