import {
  ApiError,
  badRequest,
  deletionOptions,
  formOf,
  includeOf,
  inForm,
  maxBodyBytes,
  tooLarge,
  type ApiObject,
} from '@podwright/api-machinery';
import { hasCode } from '@podwright/errors';
import type { Answer } from '@podwright/http-answer';
import type { LocalObject, LocalObjects } from '@podwright/local-objects-interface';
import type { ServerRequest } from '@podwright/server-interface';
import type { Clock, Random } from '@podwright/time';
import { selection, type ObjectReader } from '../objects/object-reader.js';
import type { ObjectWriter } from '../objects/object-writer.js';
import { readList, readObject } from '../objects/read-body.js';
import { storedChanges } from '../objects/stored-changes.js';
import type { PodChanges } from '../pods/pod-changes.js';
import type { ShownPods } from '../pods/shown-pods.js';
import { isStored, type LocalResource, type StoredResource } from '../resources.js';
import { watchObjects } from '../watch/watch-objects.js';
import type { Target } from './request-target.js';
import { jsonAnswer } from './status-answer.js';

export interface ObjectRequestsParts {
  readonly objects: LocalObjects;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly shown: ShownPods;
  readonly changes: PodChanges;
  readonly clock: Clock;
  readonly random: Random;
}

type StoredTarget = Target & { readonly resource: StoredResource };

/** Answers requests for objects. Rejects with an ApiError, or what {@link toApiError} makes one of. */
export class ObjectRequests {
  constructor(private readonly parts: ObjectRequestsParts) {}

  async answer(target: Target, request: ServerRequest): Promise<Answer> {
    const { resource, verb } = target;
    const { query } = request;
    if (verb === 'watch' && isStored(resource)) return this.watch({ ...target, resource }, request);
    if (verb === 'get') return this.shownAnswer(200, this.parts.reader.get(target), target, request);
    if (verb === 'list') return this.shownAnswer(200, this.parts.reader.list(target, query), target, request);
    if (!isStored(resource)) throw badRequest('a resource that can only be read');
    return this.write({ ...target, resource }, request);
  }

  private async write(target: StoredTarget, request: ServerRequest): Promise<Answer> {
    const { resource, verb, namespace } = target;
    const { writer } = this.parts;
    const body = await bodyOf(request);
    if (binary.includes(mediaTypeOf(request))) throw unknownFormat();
    const dryRun = isDryRun(request.query);
    switch (verb) {
      case 'create': {
        const object = await writer.create(resource, readObject(body, resource), namespace, dryRun);
        return this.shownAnswer(201, this.show(resource, object), target, request);
      }
      case 'update': {
        const { object, created } = await writer.put(target, readObject(body, resource), dryRun);
        return this.shownAnswer(created ? 201 : 200, this.show(resource, object), target, request);
      }
      case 'patch': {
        const object = await writer.patch(target, mediaTypeOf(request), body, dryRun);
        return this.shownAnswer(200, this.show(resource, object), target, request);
      }
      case 'replace': {
        const objects = await writer.replaceAll(resource, readList(body, resource), dryRun);
        return this.shownAnswer(200, this.listOf(resource, objects), target, request);
      }
      case 'deletecollection': {
        const matches = selection(resource, namespace, request.query);
        const options = deletionOptions(body, request.query);
        const deleted = await writer.deleteAll(resource, (object) => matches(this.show(resource, object)), options);
        return this.shownAnswer(200, this.listOf(resource, deleted), target, request);
      }
      default:
        return this.delete(target, body, request);
    }
  }

  private async delete(target: StoredTarget, body: Uint8Array, request: ServerRequest): Promise<Answer> {
    const { resource, name } = target;
    const { object } = await this.parts.writer.delete(target, deletionOptions(body, request.query));
    // As an API server: a pod shows how it ends, of the others only the fact is told.
    if (resource.stored === 'Pod') return this.shownAnswer(200, this.show(resource, object), target, request);
    const details = { name, kind: resource.plural, uid: object.metadata?.uid };
    return jsonAnswer(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  }

  private watch(target: StoredTarget, { query, headers, signal }: ServerRequest): Answer {
    const { objects, changes, clock, random } = this.parts;
    const { stored } = target.resource;
    const source = stored === 'Pod' ? changes : storedChanges(objects, stored);
    return watchObjects({ objects, source, clock, random }, { target, query, signal, form: formOf(headers.accept) });
  }

  private show({ stored }: LocalResource, object: LocalObject): ApiObject {
    const shown = stored === 'Pod' ? this.parts.shown.show(object as Parameters<ShownPods['show']>[0]) : object;
    return shown as unknown as ApiObject;
  }

  private listOf(resource: StoredResource, objects: readonly LocalObject[]): ApiObject {
    const { resourceVersion } = this.parts.objects.list(resource.stored);
    return {
      kind: `${resource.kind}List`,
      apiVersion: 'v1',
      metadata: { resourceVersion },
      items: objects.map((object) => this.show(resource, object)),
    };
  }

  private shownAnswer(status: number, object: ApiObject, { resource }: Target, request: ServerRequest): Answer {
    const { query, headers } = request;
    const form = formOf(headers.accept);
    const options = { form, resource, include: includeOf(query), nowMs: this.parts.clock.now(), first: true };
    return jsonAnswer(status, inForm(object, options));
  }
}

// What clients send of their own accord to a server that they take for a whole API server.
const binary = ['application/vnd.kubernetes.protobuf', 'application/cbor'];

const mediaTypeOf = ({ headers }: ServerRequest): string => (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';

function unknownFormat(): ApiError {
  const accepted = 'application/json, application/yaml';
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}

async function bodyOf(request: ServerRequest): Promise<Uint8Array> {
  try {
    return await request.body(maxBodyBytes);
  } catch (error) {
    throw hasCode(error, 'resource-exhausted') ? tooLarge() : error;
  }
}

function isDryRun(query: URLSearchParams): boolean {
  const given = query.getAll('dryRun');
  const unknown = given.find((value) => value !== 'All' && value !== '');
  if (unknown !== undefined) throw badRequest(`invalid dryRun ${JSON.stringify(unknown)}, the only value is All`);
  return given.includes('All');
}
