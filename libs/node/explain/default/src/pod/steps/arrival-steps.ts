import { podSource, type Pod } from '@podwright/kube-types';
import type { PodSituation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { isNewer } from '../../story.js';
import { stepResult, type StepResult } from '../finding.js';
import { hasStarted, isEnding, type PodQuestion } from '../pod-question.js';

export function sourceStep(question: PodQuestion): StepResult {
  const { story, state } = question;
  const received = story.first('pod.received', ({ operation }) => operation === 'add') ?? story.first('pod.received');
  const ignored = story.last('pod.ignored');
  const source = received?.source ?? ignored?.source ?? (state.pod && sourceOf(state.pod));
  if (ignored !== undefined && isNewer(ignored, received)) {
    const { atMs: sinceMs, shared, origin, firstOrigin } = ignored;
    const error = `another pod has this ${shared}`;
    const finding = {
      situation: shared === 'name' ? 'name-taken' : 'uid-taken',
      about: { origin: origin ?? ignored.source, firstOrigin: firstOrigin ?? 'another source' },
      lastFailure: { step: 'source', atMs: sinceMs, error },
    } as const;
    return stepResult('source', 'failed', { sinceMs, facts: { source, origin, firstOrigin } }, finding);
  }
  if (received === undefined) return stepResult('source', state.pod ? 'done' : 'later', { facts: { source } });
  const { atMs: sinceMs, generation } = received;
  return stepResult('source', 'done', {
    sinceMs,
    tookMs: wayToKubelet(question, received),
    facts: { source, generation },
  });
}

/** From the creation of the pod until it came; unknown when it was there before the kubelet, or its arrival is forgotten. */
function wayToKubelet({ node }: PodQuestion, received: JournalEntry<'pod.received'>): number | undefined {
  const { operation, atMs, createdAtMs, seq } = received;
  if (operation !== 'add' || createdAtMs === undefined) return undefined;
  const opened = node.last('journal.opened', (entry) => entry.seq < seq);
  return opened !== undefined && createdAtMs < opened.atMs ? undefined : atMs - createdAtMs;
}

function sourceOf(pod: Pod): string | undefined {
  return podSource(pod);
}

/** The pods that a reason of admission refuses. Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go. */
function refusal(reason: string, lacking: string | undefined): PodSituation {
  if (lacking !== undefined) return 'refused-resources';
  switch (reason) {
    case 'NodeAffinity':
    case 'NodeName':
      return 'refused-node-affinity';
    case 'TaintToleration':
      return 'refused-taint';
    case 'NodePorts':
      return 'refused-port';
    case 'Evicted':
      return 'refused-pressure';
    case 'TopologyAffinityError':
    case 'SMTAlignmentError':
      return 'refused-topology';
    case 'NodeShutdown':
      return 'refused-shutdown';
    default:
      return 'refused-other';
  }
}

/** The resource that the node has too little of. */
function lackingResource(reason: string, message: string): string | undefined {
  if (reason.startsWith('OutOf')) return reason.slice('OutOf'.length);
  // Of a critical or static pod, for which no other pod can be preempted. Source: pkg/kubelet/preemption/preemption.go.
  return /no set of running pods found to reclaim resources: \[\(res: ([^,]+), q: /.exec(message)?.[1];
}

export function admissionStep(question: PodQuestion): StepResult {
  const { story, state } = question;
  const admitted = story.last('pod.admitted');
  const refused = story.last('pod.refused', ({ operation }) => operation === 'add');
  if (refused !== undefined && isNewer(refused, admitted)) {
    const { atMs, reason, message } = refused;
    const lacking = lackingResource(reason, message);
    const finding = {
      situation: refusal(reason, lacking),
      about: { reason, resource: lacking ?? '' },
      lastFailure: { step: 'admission', atMs, error: message },
    } as const;
    return stepResult('admission', 'failed', { sinceMs: atMs, facts: { reason } }, finding);
  }
  if (admitted !== undefined) {
    return stepResult('admission', 'done', { sinceMs: admitted.atMs, tookMs: admitted.durationMs });
  }
  if (state.work !== 'none' || hasStarted(question) || isEnding(question)) return stepResult('admission', 'done');
  const received = story.last('pod.received');
  if (received === undefined && state.pod === undefined) return stepResult('admission', 'later');
  const finding = {
    situation: 'received',
    waitsFor: { what: 'admission, one pod after the other', ...(received && { sinceMs: received.atMs }) },
  } as const;
  return stepResult('admission', 'now', { sinceMs: received?.atMs }, finding);
}

export function queueStep(question: PodQuestion): StepResult {
  const { story, node, state } = question;
  const synced = story.last('pod.sync');
  const waiting = story.last('pod.waiting');
  const paused = node.last('sync.paused');
  const isPaused = state.runtimeErrors.length > 0 || isNewer(paused, node.last('sync.resumed'));
  if (waiting !== undefined && isNewer(waiting, synced)) {
    const { waitsFor, nextLookAtMs } = waiting;
    const sinceMs = story.first('pod.waiting', (entry) => isNewer(entry, synced))?.atMs;
    const what = waitsFor === 'static-pod-name' ? 'the end of the pod that had its name' : 'the end of this pod';
    const finding = {
      situation: waitsFor === 'static-pod-name' ? 'waits-for-name' : 'waits-for-restart',
      waitsFor: { what, ...(sinceMs !== undefined && { sinceMs }) },
      ...(nextLookAtMs !== undefined && { retryAtMs: nextLookAtMs }),
    } as const;
    return stepResult('queue', 'waiting', { sinceMs, facts: { waitsFor } }, finding);
  }
  const admitted = story.last('pod.admitted');
  const isBehind = !hasStarted(question) && !isEnding(question);
  if (isPaused && isBehind) {
    const errors = state.runtimeErrors.length > 0 ? state.runtimeErrors : (paused?.errors ?? []);
    const sinceMs = paused?.atMs;
    const finding = {
      situation: 'runtime-down',
      waitsFor: { what: 'the container runtime', ...(sinceMs !== undefined && { sinceMs }) },
      lastFailure: { step: 'queue', atMs: sinceMs ?? question.nowMs, error: errors.join('; ') },
    } as const;
    return stepResult('queue', 'waiting', { sinceMs }, finding);
  }
  const began = story.first('pod.sync', ({ state: of, queuedMs }) => of === 'sync' && queuedMs !== undefined);
  if (began !== undefined) {
    return stepResult('queue', 'done', { sinceMs: began.atMs - began.durationMs, tookMs: began.queuedMs });
  }
  if (!isBehind || state.work !== 'none') return stepResult('queue', 'done');
  if (admitted === undefined) return stepResult('queue', 'later');
  const finding = { situation: 'queued', waitsFor: { what: 'its first sync', sinceMs: admitted.atMs } } as const;
  return stepResult('queue', 'now', { sinceMs: admitted.atMs }, finding);
}
