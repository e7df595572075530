import {
  configSeenAnnotation,
  configSourceAnnotation,
  deepEqual,
  localAnnotations,
  podFullName,
  podUid,
} from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type { PodSource } from '@podwright/pod-config-interface';

/** A pod as the merge returned it, and as its source last delivered it. */
export interface KnownPod {
  readonly pod: Pod;
  readonly delivered: Pod;
  readonly fullName: string;
}

export interface MergeResult {
  /** By UID; the next merge of the source compares with it. */
  readonly known: ReadonlyMap<string, KnownPod>;
  readonly removed: readonly Pod[];
  readonly added: readonly Pod[];
  readonly updated: readonly Pod[];
  readonly deleted: readonly Pod[];
  readonly reconciled: readonly Pod[];
  readonly duplicates: readonly Duplicate[];
}

/** A pod that was dropped because another pod of the same delivery has its name or UID. */
export interface Duplicate {
  readonly pod: Pod;
  readonly of: Pod;
}

/**
 * Compares a full delivery of one source with its known pods, by UID. `seenAt` stamps new pods.
 * Source: kubernetes v1.36 pkg/kubelet/config/config.go, merge and checkAndUpdatePod.
 */
export function mergePods(
  before: ReadonlyMap<string, KnownPod>,
  delivery: readonly Pod[],
  source: PodSource,
  seenAt: string,
): MergeResult {
  const known = new Map<string, KnownPod>();
  const [added, updated, deleted, reconciled]: Pod[][] = [[], [], [], []];
  const duplicates: Duplicate[] = [];
  const names = new Map<string, Pod>();
  for (const delivered of delivery) {
    const uid = podUid(delivered);
    const old = before.get(uid);
    // Each change of one pod delivers all of them: what is as before must cost next to nothing.
    const unchanged = old?.delivered === delivered;
    const fullName = unchanged ? old.fullName : podFullName(delivered);
    const of = names.get(fullName) ?? known.get(uid)?.delivered;
    if (of !== undefined) {
      duplicates.push({ pod: delivered, of });
      continue;
    }
    names.set(fullName, delivered);
    if (unchanged) {
      known.set(uid, old);
      continue;
    }
    const next = old === undefined ? annotate(delivered, source, seenAt) : carryOver(old, delivered);
    known.set(uid, { pod: next, delivered, fullName });
    if (old === undefined) added?.push(next);
    else if (next === old.pod) continue;
    else if (sameMeaning(old.pod, next)) reconciled?.push(next);
    else (next.metadata.deletionTimestamp === undefined ? updated : deleted)?.push(next);
  }
  const removed: Pod[] = [];
  before.forEach(({ pod }, uid) => {
    if (!known.has(uid)) removed.push(pod);
  });
  return {
    known,
    removed,
    added: added ?? [],
    updated: updated ?? [],
    deleted: deleted ?? [],
    reconciled: reconciled ?? [],
    duplicates,
  };
}

function annotate(pod: Pod, source: PodSource, seenAt: string): Pod {
  const annotations = { ...pod.metadata.annotations, [configSourceAnnotation]: source, [configSeenAnnotation]: seenAt };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

/**
 * Returns the old object when nothing changed, the old one with the new status when only that changed, else the new
 * one.
 */
function carryOver(old: KnownPod, delivered: Pod): Pod {
  if (!sameMeaning(old.pod, delivered)) {
    const annotations = { ...foreign(delivered.metadata.annotations), ...local(old.pod.metadata.annotations) };
    return { ...delivered, metadata: { ...delivered.metadata, annotations } };
  }
  if (deepEqual(old.pod.status, delivered.status)) return old.pod;
  const { status: _, ...rest } = old.pod;
  return delivered.status === undefined ? rest : { ...rest, status: delivered.status };
}

/**
 * Whether the pods are equal in everything that a sync depends on. Ignores annotations that the kubelet itself writes.
 * The generation alone differs when a spec was changed and changed back while no watch told of it: the status must say
 * that this was observed, too.
 */
function sameMeaning(a: Pod, b: Pod): boolean {
  return (
    a.metadata.generation === b.metadata.generation &&
    a.metadata.deletionTimestamp === b.metadata.deletionTimestamp &&
    a.metadata.deletionGracePeriodSeconds === b.metadata.deletionGracePeriodSeconds &&
    deepEqual(a.metadata.labels ?? {}, b.metadata.labels ?? {}) &&
    deepEqual(foreign(a.metadata.annotations), foreign(b.metadata.annotations)) &&
    deepEqual(a.spec, b.spec)
  );
}

type Annotations = Readonly<Record<string, string>>;

function foreign(annotations: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !localAnnotations.includes(name)));
}

function local(annotations: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => localAnnotations.includes(name)));
}
