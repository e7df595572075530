import {
  alreadyExists,
  type ApiObject,
  badRequest,
  conflict,
  invalid,
  modifiedMeanwhile,
  notFound,
  qualified,
} from '@podwright/api-machinery';
import { deepEqual, objectKey } from '@podwright/kube-types';
import { type FieldError } from '@podwright/pod-manifest';
import type { ApiUser } from '../http/api-request.js';
import { groupVersion, type ApiResource } from '../resources/api-resource.js';
import type { UpdateStrategy } from '../strategies/resource-strategy.js';
import { strategyOf } from '../strategies/strategies.js';
import { newMetadata } from './new-metadata.js';
import type { ServerContext } from './server-context.js';

/** The resource of a write and its user. */
export interface WriteScope {
  readonly resource: ApiResource;
  /** Empty for cluster-wide resources. */
  readonly namespace: string;
  readonly subresource?: string;
  readonly user: ApiUser;
  readonly dryRun?: boolean;
}

/** Runs admission before a write: returns the object to store, or throws to refuse. */
export type Admit = (object: ApiObject, old: ApiObject | undefined) => ApiObject;

/**
 * Reads and writes single objects, with the checks of all resources. Source: kubernetes v1.36 apiserver/pkg/registry.
 */
export class ObjectRegistry {
  constructor(private readonly context: ServerContext) {}

  get(resource: ApiResource, namespace: string, name: string): ApiObject {
    const found = this.find(resource, namespace, name);
    if (found === undefined) throw notFound(resource, name);
    return found;
  }

  find(resource: ApiResource, namespace: string, name: string): ApiObject | undefined {
    return this.context.store.get(qualified(resource), objectKey(namespace, name));
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

  /**
   * A PUT: replaces the whole object, whose resourceVersion must be current, or absent where the resource allows that.
   */
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
      // A UID means a certain object, which no longer exists.
      const { uid = '' } = typed.metadata;
      if (uid !== '') {
        throw conflict(resource, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: `);
      }
      const object = this.create(scope, { ...typed, metadata: { ...typed.metadata, name } }, admit);
      return { object, created: true };
    }
    return { object: this.replace(scope, old, typed, admit), created: false };
  }

  /** Changes the stored object with `change`. */
  modify(scope: WriteScope, name: string, change: (old: ApiObject) => ApiObject, admit: Admit = asIs): ApiObject {
    const old = this.get(scope.resource, scope.namespace, name);
    return this.replace(scope, old, checkedType(scope.resource, change(old)), admit);
  }

  /** Stores an object without any checks, for the server itself. */
  put(resource: ApiResource, object: ApiObject): ApiObject {
    const { namespace, name = '' } = object.metadata;
    return this.context.store.put(qualified(resource), objectKey(namespace, name), object);
  }

  remove(resource: ApiResource, object: ApiObject): ApiObject | undefined {
    const { namespace, name = '' } = object.metadata;
    return this.context.store.remove(qualified(resource), objectKey(namespace, name));
  }

  private replace(scope: WriteScope, old: ApiObject, given: ApiObject, admit: Admit): ApiObject {
    const { resource, user } = scope;
    const name = old.metadata.name ?? '';
    this.checkVersion(resource, old, given);
    const strategy = strategyOf(resource);
    const update = updateStrategy(scope);
    const next = strategy.defaults?.(given) ?? given;
    const admitted = admit({ ...next, metadata: keepSystemMetadata(next, old) }, old);
    const context = { server: this.context, user };
    const prepared = update?.prepare(admitted, old, context) ?? admitted;
    refuseFaults(resource, name, update?.validate?.(prepared, old, context));
    const object = {
      ...prepared,
      metadata: { ...prepared.metadata, resourceVersion: old.metadata.resourceVersion ?? '' },
    };
    if (scope.dryRun === true) return object;
    // The write has removed the last finalizer of an object that is being deleted.
    if (object.metadata.deletionTimestamp !== undefined && isReadyToGo(object)) {
      return this.remove(resource, this.put(resource, object)) ?? object;
    }
    // Like upstream's etcd storage: a write without a change makes no new version.
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

/** True when no finalizer and no grace period delays the deletion. A graceful deletion ends with another DELETE. */
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
