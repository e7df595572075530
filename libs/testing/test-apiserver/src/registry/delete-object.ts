import { conflict, type ApiObject, type DeletionOptions } from '@podwright/api-machinery';
import { formatRfc3339 } from '@podwright/time';
import type { ApiResource } from '../resources/api-resource.js';
import { strategyOf } from '../strategies/strategies.js';
import type { ObjectRegistry } from './object-registry.js';
import type { ServerContext } from './server-context.js';

/**
 * The result of a deletion. `gone`: `object` is the last state. Otherwise the object waits for its grace period or
 * finalizers.
 */
export interface Deletion {
  readonly object: ApiObject;
  readonly gone: boolean;
}

/**
 * Deletes an object, or marks it as being deleted.
 * Source: kubernetes v1.36 apiserver/pkg/registry/rest/delete.go BeforeDelete and generic/registry/store.go Delete.
 */
export function deleteObject(
  context: ServerContext,
  registry: ObjectRegistry,
  resource: ApiResource,
  given: ApiObject,
  options: DeletionOptions,
): Deletion {
  checkPreconditions(resource, given, options);
  const object = withPropagation(given, options);
  const strategy = strategyOf(resource);
  const asked = options.gracePeriodSeconds;
  const held = (object.metadata.finalizers ?? []).length > 0 || isNamespace(resource);
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp !== undefined && deletionGracePeriodSeconds !== undefined) {
    // Its deletion has begun already: the grace period can only become shorter.
    if (asked === undefined || asked >= deletionGracePeriodSeconds) return { object, gone: false };
    return finish(marked(object, Math.max(asked, 0), deletionGracePeriodSeconds));
  }
  const grace = strategy.gracePeriodSeconds?.(object, asked);
  if (grace === undefined && !held) return gone(object);
  return finish(marked(object, grace ?? 0));

  // A graceful deletion stores the object with its deletionTimestamp first, even when the grace period is 0.
  function finish(next: ApiObject): Deletion {
    const stored = options.dryRun ? next : registry.put(resource, next);
    return held || (next.metadata.deletionGracePeriodSeconds ?? 0) > 0 ? { object: stored, gone: false } : gone(stored);
  }

  function gone(last: ApiObject): Deletion {
    return { object: options.dryRun ? last : (registry.remove(resource, last) ?? last), gone: true };
  }

  function marked(current: ApiObject, graceSeconds: number, earlierSeconds?: number): ApiObject {
    const { generation } = current.metadata;
    const requestedAtMs =
      earlierSeconds === undefined
        ? context.clock.now()
        : Date.parse(String(current.metadata.deletionTimestamp)) - earlierSeconds * 1_000;
    return {
      ...current,
      metadata: {
        ...current.metadata,
        // The time at which the grace period ends.
        deletionTimestamp: formatRfc3339(requestedAtMs + graceSeconds * 1_000),
        deletionGracePeriodSeconds: graceSeconds,
        ...(generation !== undefined && earlierSeconds === undefined && { generation: generation + 1 }),
      },
      ...(isNamespace(resource) && { status: { ...(current.status as object | undefined), phase: 'Terminating' } }),
    };
  }
}

/**
 * Adds the finalizer of the propagation policy. The garbage collector removes it once all dependents are deleted or
 * orphaned.
 */
function withPropagation(object: ApiObject, { propagationPolicy }: DeletionOptions): ApiObject {
  const finalizer =
    propagationPolicy === 'Foreground' ? 'foregroundDeletion' : propagationPolicy === 'Orphan' ? 'orphan' : undefined;
  const { finalizers = [] } = object.metadata;
  if (finalizer === undefined || finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

function isNamespace({ kind, group }: ApiResource): boolean {
  return kind === 'Namespace' && group === '';
}

function checkPreconditions(resource: ApiResource, { metadata }: ApiObject, { preconditions }: DeletionOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const name = metadata.name ?? '';
  // These two messages name the kind where others name the resource.
  const subject = { group: resource.group, plural: resource.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
    throw conflict(subject, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`;
    throw conflict(subject, name, why);
  }
}
