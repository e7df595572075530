import { conflict, type DeletionOptions } from '@podwright/api-machinery';
import { isTerminalPhase, type ObjectMeta, type Pod } from '@podwright/kube-types';
import type { LocalObject, LocalOperation } from '@podwright/local-objects-interface';
import { defaultTerminationGracePeriodSeconds } from '@podwright/pod-manifest';
import { formatRfc3339 } from '@podwright/time';
import type { StoredResource } from '../resources.js';

/** What a deletion does. `object`: the object afterwards, or as it was last. */
export interface Deletion {
  readonly operations: readonly LocalOperation[];
  /** False: the object waits until its pod has ended. */
  readonly gone: boolean;
}

export interface DeletionFacts {
  readonly options: DeletionOptions;
  readonly nowMs: number;
  /** The phase of the pod. */
  readonly phase: string | undefined;
}

/**
 * Deletes an object, or marks a pod for the kubelet to end it gracefully.
 * Source: kubernetes v1.36 apiserver/pkg/registry/rest/delete.go BeforeDelete, pkg/registry/core/pod/strategy.go
 * CheckGracefulDelete.
 * @throws ApiError 409 for a precondition that does not hold.
 */
export function deletionOf(resource: StoredResource, stored: LocalObject, facts: DeletionFacts): Deletion {
  const { stored: kind } = resource;
  const { namespace = '', name = '' } = stored.metadata ?? {};
  checkPreconditions(resource, stored.metadata ?? {}, facts.options);
  const remove = { kind, remove: { namespace, name } } as LocalOperation;
  if (kind !== 'Pod') return { operations: [remove], gone: true };
  const pod = stored as Pod;
  const grace = graceOf(pod, facts);
  if (grace === undefined) return { operations: [], gone: false };
  // Those who watch see how much time the pod has, also when it has none.
  const mark: LocalOperation = { kind, put: marked(pod, grace, facts.nowMs) };
  return grace > 0 ? { operations: [mark], gone: false } : { operations: [mark, remove], gone: true };
}

/** Undefined: the pod is being deleted already, and has no less time than asked. */
function graceOf({ metadata, spec }: Pod, { options, phase }: DeletionFacts): number | undefined {
  const { gracePeriodSeconds: asked } = options;
  const now = metadata.deletionTimestamp === undefined ? undefined : metadata.deletionGracePeriodSeconds;
  if (isTerminalPhase(phase)) return 0;
  if (now !== undefined) return asked === undefined || asked >= now ? undefined : Math.max(asked, 0);
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? defaultTerminationGracePeriodSeconds;
  return seconds < 0 ? 1 : seconds;
}

function marked(pod: Pod, graceSeconds: number, nowMs: number): Pod {
  const { deletionTimestamp, deletionGracePeriodSeconds: earlier } = pod.metadata;
  const requestedAtMs = deletionTimestamp === undefined ? nowMs : Date.parse(deletionTimestamp) - (earlier ?? 0) * 1000;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      // The time at which the grace period ends.
      deletionTimestamp: formatRfc3339(requestedAtMs + graceSeconds * 1000),
      deletionGracePeriodSeconds: graceSeconds,
    },
  };
}

function checkPreconditions(
  { kind }: StoredResource,
  { name = '', ...metadata }: ObjectMeta,
  { preconditions = {} }: DeletionOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  // These two messages name the kind where others name the resource.
  const subject = { group: '', plural: kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
    throw conflict(subject, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`;
    throw conflict(subject, name, why);
  }
}
