import type { ContainerDecision } from './kinds/containers.js';
import type { ImageDecision } from './kinds/images.js';
import type { NodeDecision } from './kinds/node.js';
import type { ArrivalDecision } from './kinds/pod-arrival.js';
import type { PodWorkDecision } from './kinds/pod-work.js';
import type { ProbeDecision } from './kinds/probes.js';
import type { SandboxDecision } from './kinds/sandbox.js';
import type { StatusDecision } from './kinds/statuses.js';
import type { VolumeDecision } from './kinds/volumes.js';

/**
 * What a manager decided or found out, for whom and from which facts. A closed union, discriminated by `kind`; plain
 * JSON. Durations are whole or fractional milliseconds, points in time are Unix milliseconds of the wall clock.
 */
export type Decision =
  | ArrivalDecision
  | PodWorkDecision
  | VolumeDecision
  | SandboxDecision
  | ImageDecision
  | ContainerDecision
  | ProbeDecision
  | StatusDecision
  | NodeDecision;

export type DecisionKind = Decision['kind'];

export type DecisionOf<K extends DecisionKind> = Extract<Decision, { readonly kind: K }>;

// A record, so that the compiler misses a kind that is not listed.
const kinds: Readonly<Record<DecisionKind, true>> = {
  'pod.received': true,
  'pod.ignored': true,
  'manifest.refused': true,
  'manifest.settled': true,
  'pod.admitted': true,
  'pod.refused': true,
  'pod.queued': true,
  'pod.waiting': true,
  'sync.paused': true,
  'sync.resumed': true,
  'pod.ending': true,
  'pod.sync': true,
  'pod.ended': true,
  'volumes.ready': true,
  'volumes.waiting': true,
  'volume.mounted': true,
  'volume.unmounted': true,
  'volume.failed': true,
  'sandbox.created': true,
  'sandbox.failed': true,
  'sandbox.replaced': true,
  'image.pull': true,
  'image.gc': true,
  'image.removed': true,
  'container.started': true,
  'container.failed': true,
  'container.exited': true,
  'container.restart': true,
  'container.kill': true,
  'container.killed': true,
  'hook.failed': true,
  'container.removed': true,
  'probe.result': true,
  'status.changed': true,
  'status.sent': true,
  'status.failed': true,
  'pod.deleted': true,
  eviction: true,
  'node.condition': true,
  'node.status.failed': true,
  'node.status.accepted': true,
  'lease.failed': true,
  'lease.renewed': true,
  'oom.killed': true,
  'journal.opened': true,
  'journal.lost': true,
};

/** Every kind, in the order of a pod's way. */
export const decisionKinds: readonly DecisionKind[] = Object.keys(kinds) as DecisionKind[];

export function isDecisionKind(text: string): text is DecisionKind {
  return Object.hasOwn(kinds, text);
}

/** UIDs of the pods under which a decision is found; empty for one about the node alone. */
export function podUidsOf(decision: Decision): readonly string[] {
  if (decision.kind === 'eviction') return decision.evicted.map(({ uid }) => uid);
  if (decision.kind === 'oom.killed') return decision.podUid === undefined ? [] : [decision.podUid];
  return 'pod' in decision && decision.pod !== undefined ? [decision.pod.uid] : [];
}
