import { conflict } from '../api-error.js';
import { timestamp, type ApiObject } from '../api-object.js';
import type { ApiResource } from '../resources/api-resource.js';
import { strategyOf } from '../strategies/strategies.js';
import type { DeletionOptions } from './delete-options.js';
import type { ObjectRegistry } from './object-registry.js';
import type { ServerContext } from './server-context.js';

/** `gone`: the object is as it was last. Otherwise it stays for its grace period or its finalizers. */
export interface Deletion {
  readonly object: ApiObject;
  readonly gone: boolean;
}

/** Source: kubernetes v1.36 apiserver/pkg/registry/rest/delete.go BeforeDelete and generic/registry/store.go Delete. */
export function deleteObject(
  context: ServerContext,
  registry: ObjectRegistry,
  resource: ApiResource,
  object: ApiObject,
  options: DeletionOptions,
): Deletion {
  checkPreconditions(resource, object, options);
  const strategy = strategyOf(resource);
  const asked = options.gracePeriodSeconds;
  const grace = strategy.gracePeriodSeconds?.(object, asked) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  const held = (object.metadata.finalizers ?? []).length > 0;
  const pendingNamespace = resource.kind === 'Namespace' && resource.group === '';
  if (deletionTimestamp !== undefined && strategy.gracePeriodSeconds !== undefined && grace > 0) {
    // Already on its way: the period can only become shorter.
    if (asked === undefined || grace >= deletionGracePeriodSeconds) return { object, gone: false };
    return { object: save(marked(object, grace)), gone: false };
  }
  if (grace > 0 || held || pendingNamespace) {
    if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === grace) return { object, gone: false };
    return { object: save(marked(object, grace)), gone: false };
  }
  return { object: options.dryRun ? object : (registry.remove(resource, object) ?? object), gone: true };

  function save(next: ApiObject): ApiObject {
    return options.dryRun ? next : registry.put(resource, next);
  }

  function marked(current: ApiObject, graceSeconds: number): ApiObject {
    const { generation } = current.metadata;
    // The time at which it ends, so that everybody can tell how much is left; a shorter period moves it.
    const requestedAtMs =
      current.metadata.deletionTimestamp === undefined
        ? context.clock.now()
        : Date.parse(String(current.metadata.deletionTimestamp)) - deletionGracePeriodSeconds * 1_000;
    return {
      ...current,
      metadata: {
        ...current.metadata,
        deletionTimestamp: timestamp(requestedAtMs + graceSeconds * 1_000),
        deletionGracePeriodSeconds: graceSeconds,
        ...(generation !== undefined && generation > 0 && { generation: generation + 1 }),
      },
      ...(pendingNamespace && { status: { ...(current.status as object | undefined), phase: 'Terminating' } }),
    };
  }
}

function checkPreconditions(resource: ApiResource, { metadata }: ApiObject, { preconditions }: DeletionOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const name = metadata.name ?? '';
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ''}`;
    throw conflict(resource, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion ?? ''}`;
    throw conflict(resource, name, why);
  }
}
