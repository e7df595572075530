import { deepEqual, type FieldError } from '@podwright/kube-types';
import { alreadyExists, badRequest, conflict, invalid, modifiedMeanwhile, notFound } from '../api-error.js';
import type { ApiObject } from '../api-object.js';
import type { ApiUser } from '../http/api-request.js';
import { groupVersion, resourceKey, type ApiResource } from '../resources/api-resource.js';
import type { UpdateStrategy } from '../strategies/resource-strategy.js';
import { strategyOf } from '../strategies/strategies.js';
import { objectKey } from './object-key.js';
import { newMetadata } from './new-metadata.js';
import type { ServerContext } from './server-context.js';

/** Where a write goes and on whose behalf. */
export interface WriteScope {
  readonly resource: ApiResource;
  /** Empty for cluster-wide resources. */
  readonly namespace: string;
  readonly subresource?: string;
  readonly user: ApiUser;
  readonly dryRun?: boolean;
}

/** Lets admission see, change or refuse what is about to be written; returns the object to go on with. */
export type Admit = (object: ApiObject, old: ApiObject | undefined) => ApiObject;

/** Reads and writes of single objects with the checks that every resource has. Source: kubernetes v1.36 apiserver/pkg/registry. */
export class ObjectRegistry {
  constructor(private readonly context: ServerContext) {}

  get(resource: ApiResource, namespace: string, name: string): ApiObject {
    const found = this.find(resource, namespace, name);
    if (found === undefined) throw notFound(resource, name);
    return found;
  }

  find(resource: ApiResource, namespace: string, name: string): ApiObject | undefined {
    return this.context.store.get(resourceKey(resource), objectKey(namespace, name));
  }

  create(scope: WriteScope, given: ApiObject, admit: Admit = asIs): ApiObject {
    const { resource, namespace, user } = scope;
    const strategy = strategyOf(resource);
    const typed = checkedType(resource, given);
    const metadata = newMetadata(this.context, resource, namespace, typed.metadata);
    const admitted = admit(strategy.defaults?.({ ...typed, metadata }) ?? { ...typed, metadata }, undefined);
    const object = strategy.prepareCreate?.(admitted, { server: this.context, user }) ?? admitted;
    const name = metadata.name ?? '';
    refuseFaults(resource, name, strategy.validateCreate?.(object));
    if (this.find(resource, namespace, name) !== undefined) throw alreadyExists(resource, name);
    return scope.dryRun === true ? object : this.put(resource, object);
  }

  /** PUT: the whole object, which must carry the resource version that it was read at, or none. */
  update(
    scope: WriteScope,
    name: string,
    given: ApiObject,
    admit: Admit = asIs,
  ): { object: ApiObject; created: boolean } {
    const { resource, namespace } = scope;
    const typed = checkedType(resource, given);
    if (typed.metadata.name !== undefined && typed.metadata.name !== name) {
      throw badRequest(`the name of the object (${typed.metadata.name}) does not match the name on the URL (${name})`);
    }
    const old = this.find(resource, namespace, name);
    if (old === undefined) {
      const creates = strategyOf(resource).createOnUpdate === true && scope.subresource === undefined;
      if (!creates) throw notFound(resource, name);
      // Who sends a UID means one object, and that one is gone.
      const { uid = '' } = typed.metadata;
      if (uid !== '') {
        throw conflict(resource, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: `);
      }
      const object = this.create(scope, { ...typed, metadata: { ...typed.metadata, name } }, admit);
      return { object, created: true };
    }
    return { object: this.replace(scope, old, typed, admit), created: false };
  }

  /** Stores what `change` makes of the present object. */
  modify(scope: WriteScope, name: string, change: (old: ApiObject) => ApiObject, admit: Admit = asIs): ApiObject {
    const old = this.get(scope.resource, scope.namespace, name);
    return this.replace(scope, old, checkedType(scope.resource, change(old)), admit);
  }

  /** Stores without any check: the server's own work. */
  put(resource: ApiResource, object: ApiObject): ApiObject {
    const { namespace, name = '' } = object.metadata;
    return this.context.store.put(resourceKey(resource), objectKey(namespace, name), object);
  }

  remove(resource: ApiResource, object: ApiObject): ApiObject | undefined {
    const { namespace, name = '' } = object.metadata;
    return this.context.store.remove(resourceKey(resource), objectKey(namespace, name));
  }

  private replace(scope: WriteScope, old: ApiObject, given: ApiObject, admit: Admit): ApiObject {
    const { resource, user } = scope;
    const name = old.metadata.name ?? '';
    this.checkVersion(resource, old, given);
    const strategy = strategyOf(resource);
    const update = updateStrategy(scope);
    const next = strategy.defaults?.(given) ?? given;
    const admitted = admit({ ...next, metadata: keepSystemMetadata(next, old) }, old);
    const prepared = update?.prepare(admitted, old, { server: this.context, user }) ?? admitted;
    refuseFaults(resource, name, update?.validate?.(prepared, old));
    const object = {
      ...prepared,
      metadata: { ...prepared.metadata, resourceVersion: old.metadata.resourceVersion ?? '' },
    };
    if (scope.dryRun === true) return object;
    // The last finalizer of an object that is being deleted was taken away.
    if (object.metadata.deletionTimestamp !== undefined && isReadyToGo(object)) {
      return this.remove(resource, this.put(resource, object)) ?? object;
    }
    // A write that changes nothing makes no new version, as etcd's storage does.
    return deepEqual(object, old) ? old : this.put(resource, object);
  }

  private checkVersion(resource: ApiResource, old: ApiObject, { metadata }: ApiObject): void {
    const name = old.metadata.name ?? '';
    const { resourceVersion = '', uid } = metadata;
    if (uid !== undefined && uid !== '' && uid !== old.metadata.uid) {
      throw conflict(
        resource,
        name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`,
      );
    }
    if (resourceVersion === '' && strategyOf(resource).unconditionalUpdate !== true) {
      throw invalid(resource.group, resource.kind, name, [
        {
          field: 'metadata.resourceVersion',
          type: 'Invalid value',
          message: 'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
        },
      ]);
    }
    if (resourceVersion !== '' && resourceVersion !== old.metadata.resourceVersion) {
      throw conflict(resource, name, modifiedMeanwhile);
    }
  }
}

const asIs: Admit = (object) => object;

/** Nothing holds the object any more. Graceful deletion ends with a deletion of its own. */
function isReadyToGo({ metadata, spec }: ApiObject): boolean {
  const ofNamespace = (spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? [];
  return (
    (metadata.finalizers ?? []).length === 0 &&
    ofNamespace.length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

function updateStrategy({ resource, subresource }: WriteScope): UpdateStrategy | undefined {
  const strategy = strategyOf(resource);
  return subresource === undefined || subresource === '' ? strategy.update : strategy.subresources?.[subresource];
}

function keepSystemMetadata(next: ApiObject, old: ApiObject): ApiObject['metadata'] {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, namespace, name, generation } =
    old.metadata;
  const { deletionTimestamp: _dropped, deletionGracePeriodSeconds: _grace, ...given } = next.metadata;
  const kept = { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, namespace, name, generation };
  return { ...given, ...(JSON.parse(JSON.stringify(kept)) as ApiObject['metadata']) };
}

function checkedType(resource: ApiResource, given: ApiObject): ApiObject {
  const { kind } = resource;
  const apiVersion = groupVersion(resource);
  if (
    (given.kind !== undefined && given.kind !== kind) ||
    (given.apiVersion !== undefined && given.apiVersion !== apiVersion)
  ) {
    const sent = `${given.apiVersion ?? ''}, Kind=${given.kind ?? ''}`;
    throw badRequest(
      `${given.kind ?? ''} in version "${given.apiVersion ?? ''}" cannot be handled as a ${kind}: converting (${sent}) to (${apiVersion}, Kind=${kind}): unknown conversion`,
    );
  }
  return { ...given, kind, apiVersion, metadata: given.metadata ?? {} };
}

function refuseFaults(resource: ApiResource, name: string, faults: readonly FieldError[] = []): void {
  if (faults.length > 0) throw invalid(resource.group, resource.kind, name, faults);
}
