import {
  alreadyExists,
  applyPatch,
  ApiError,
  badRequest,
  forbidden,
  invalid,
  newUid,
  notFound,
  type ApiObject,
  type DeletionOptions,
} from '@podwright/api-machinery';
import { objectKey } from '@podwright/kube-types';
import {
  planTransaction,
  type LocalCommit,
  type LocalObject,
  type LocalObjects,
  type LocalTransaction,
} from '@podwright/local-objects-interface';
import { FieldErrors } from '@podwright/pod-manifest';
import type { StatusManager } from '@podwright/status-interface';
import { formatRfc3339, type Clock, type Random } from '@podwright/time';
import { toApiError } from '../http/status-answer.js';
import type { StoredResource } from '../resources.js';
import type { Admission } from './admission.js';
import { deletionOf, type Deletion } from './deletion.js';
import { checkExpectation, putOperations } from './put-operations.js';
import { placeOf, readObject, type ListItem } from './read-body.js';

export interface WriterParts {
  readonly objects: LocalObjects;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly random: Random;
}

/** An object that a request names. */
export interface Named {
  readonly resource: StoredResource;
  readonly namespace: string;
  readonly name: string;
}

/** An object as it is now, or as it was last. */
export interface Written {
  readonly object: LocalObject;
  readonly created: boolean;
}

export interface Deleted {
  readonly object: LocalObject;
  readonly gone: boolean;
}

/**
 * Writes objects into the store. Each call is one transaction; what it decides, it decides on the state that the
 * transaction then changes. `dryRun`: all is decided, nothing is written. Rejects with an ApiError.
 */
export class ObjectWriter {
  constructor(private readonly parts: WriterParts) {}

  async create(resource: StoredResource, given: LocalObject, namespace: string, dryRun: boolean): Promise<LocalObject> {
    if (given.metadata?.resourceVersion)
      throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
    const put = this.parts.admission.admit(resource, given, { namespace, name: undefined });
    const name = put.metadata?.name ?? '';
    const { objects } = await this.commit(dryRun, { resource, name }, () => {
      const stored = this.stored({ resource, namespace, name });
      if (stored !== undefined) throw existing(resource, stored);
      return [{ kind: resource.stored, put, mustNotExist: true }] as LocalTransaction;
    });
    return last(objects);
  }

  /** Creates the object, or replaces the one of its name. */
  async put({ resource, namespace, name }: Named, given: LocalObject, dryRun: boolean): Promise<Written> {
    const object = this.parts.admission.admit(resource, given, { namespace, name });
    let created = false;
    const { objects } = await this.commit(dryRun, { resource, name }, () => {
      const stored = this.stored({ resource, namespace, name });
      created = stored === undefined;
      checkExpectation({ resource, name }, given.metadata, stored?.metadata);
      return putOperations(resource, object, stored);
    });
    return { object: last(objects), created };
  }

  /** Changes the stored object, whatever it is when the turn of this call has come. */
  async patch(
    { resource, namespace, name }: Named,
    mediaType: string,
    patch: Uint8Array,
    dryRun: boolean,
  ): Promise<LocalObject> {
    const { objects } = await this.commit(dryRun, { resource, name }, () => {
      const stored = this.stored({ resource, namespace, name });
      if (stored === undefined) throw notFound(resource, name);
      const patched = applyPatch(stored as unknown as ApiObject, mediaType, patch);
      const given = readObject(Buffer.from(JSON.stringify(patched)), resource);
      checkExpectation({ resource, name }, given.metadata, stored.metadata);
      return putOperations(resource, this.parts.admission.admit(resource, given, { namespace, name }), stored);
    });
    return last(objects);
  }

  /** Replaces all objects of a kind: those that are not in the list are deleted. */
  async replaceAll(
    resource: StoredResource,
    items: readonly ListItem[],
    dryRun: boolean,
  ): Promise<readonly LocalObject[]> {
    const admitted = items.map(({ index, object }) => ({
      index,
      given: object,
      object: naming(index, resource, object, () =>
        this.parts.admission.admit(resource, object, { namespace: undefined, name: undefined }),
      ),
    }));
    const wanted = new Set<string>();
    for (const { index, object } of admitted) {
      if (wanted.has(keyOf(object))) naming(index, resource, object, () => refuseDuplicate(resource, object));
      wanted.add(keyOf(object));
    }
    let places: readonly number[] = [];
    const { objects } = await this.commit(dryRun, { resource, name: '' }, () => {
      const unwanted = this.parts.objects
        .list(resource.stored)
        .items.filter((stored) => !wanted.has(keyOf(stored)) && this.isOurs(resource, stored));
      const operations = unwanted.flatMap((stored) => this.deletion(resource, stored, { dryRun }).operations);
      places = admitted.map(({ index, given, object }) => {
        const { namespace = '', name = '' } = object.metadata ?? {};
        const stored = this.stored({ resource, namespace, name });
        operations.push(
          ...naming(index, resource, object, () => {
            checkExpectation({ resource, name }, given.metadata, stored?.metadata);
            return putOperations(resource, object, stored);
          }),
        );
        return operations.length - 1;
      });
      return operations;
    });
    return places.map((place) => objects[place] as LocalObject);
  }

  async delete({ resource, namespace, name }: Named, options: DeletionOptions): Promise<Deleted> {
    const source = resource.stored === 'Pod' ? this.parts.admission.otherSource(namespace, name) : undefined;
    if (source !== undefined)
      throw forbidden(resource, name, `the pod comes from the source ${source}, where it must be removed`);
    let outcome: { readonly before: LocalObject; readonly gone: boolean } | undefined;
    const { objects } = await this.commit(options.dryRun, { resource, name }, () => {
      const before = this.stored({ resource, namespace, name });
      if (before === undefined) throw notFound(resource, name);
      const { operations, gone } = this.deletion(resource, before, options);
      outcome = { before, gone };
      return operations;
    });
    const { before, gone } = outcome as NonNullable<typeof outcome>;
    return { object: objects.at(-1) ?? before, gone };
  }

  /** Deletes all that `matches`; resolves with them. */
  async deleteAll(
    resource: StoredResource,
    matches: (object: LocalObject) => boolean,
    options: DeletionOptions,
  ): Promise<readonly LocalObject[]> {
    if (options.preconditions?.uid !== undefined)
      throw badRequest('a precondition with a UID is for a single object, not for a collection');
    let before: readonly LocalObject[] = [];
    await this.commit(options.dryRun, { resource, name: '' }, () => {
      const { items } = this.parts.objects.list(resource.stored);
      before = items.filter((stored) => matches(stored) && this.isOurs(resource, stored));
      return before.flatMap((stored) => this.deletion(resource, stored, options).operations);
    });
    return before;
  }

  private stored({ resource, namespace, name }: Named): LocalObject | undefined {
    return this.parts.objects.get(resource.stored, namespace, name);
  }

  // Those of a folder are not: its owner removes them there.
  private isOurs({ stored: kind }: StoredResource, { metadata }: LocalObject): boolean {
    return this.parts.objects.originOf(kind, metadata?.namespace ?? '', metadata?.name ?? '') === undefined;
  }

  private deletion(resource: StoredResource, stored: LocalObject, options: DeletionOptions): Deletion {
    const phase = this.parts.statuses.getPodStatus(stored.metadata?.uid ?? '')?.phase;
    return deletionOf(resource, stored, { options, nowMs: this.parts.clock.now(), phase });
  }

  private async commit(
    dryRun: boolean,
    about: Pick<Named, 'resource' | 'name'>,
    decide: () => LocalTransaction,
  ): Promise<LocalCommit> {
    try {
      return dryRun ? this.plan(decide()) : await this.parts.objects.commit(decide);
    } catch (error) {
      throw toApiError(error, about);
    }
  }

  private plan(transaction: LocalTransaction): LocalCommit {
    const { objects, clock, random } = this.parts;
    return planTransaction(transaction, {
      get: (kind, namespace, name) => objects.get(kind, namespace, name),
      resourceVersion: objects.list('Pod').resourceVersion,
      now: formatRfc3339(clock.now()),
      newUid: () => newUid(random),
    });
  }
}

// Upstream's message for a name that is taken by an object that waits for its end.
function existing(resource: StoredResource, { metadata }: LocalObject): ApiError {
  const plain = alreadyExists(resource, metadata?.name ?? '');
  return metadata?.deletionTimestamp === undefined
    ? plain
    : new ApiError(409, 'AlreadyExists', `object is being deleted: ${plain.message}`, plain.details);
}

const last = (objects: readonly LocalObject[]): LocalObject => objects.at(-1) as LocalObject;

const keyOf = ({ metadata }: LocalObject): string => objectKey(metadata?.namespace ?? '', metadata?.name ?? '');

function refuseDuplicate({ stored }: StoredResource, { metadata: { name = '' } = {} }: LocalObject): never {
  const faults = new FieldErrors();
  faults.duplicate('metadata.name', name);
  throw invalid('', stored, name, faults.list);
}

/** Runs a step of one item of a list; its error names the item. */
function naming<T>(index: number, { plural }: StoredResource, object: LocalObject, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const { httpStatus, reason, message, details } = toApiError(error);
    throw new ApiError(httpStatus, reason, `${placeOf(index, plural, object)}: ${message}`, details);
  }
}
