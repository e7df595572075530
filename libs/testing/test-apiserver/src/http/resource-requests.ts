import type { ApiObject } from '../api-object.js';
import { methodNotAllowed } from '../api-error.js';
import { applyPatch } from '../patch/apply-patch.js';
import { deleteObject } from '../registry/delete-object.js';
import { deletionOptions } from '../registry/delete-options.js';
import { listObjects } from '../registry/list-objects.js';
import type { Admit, ObjectRegistry, WriteScope } from '../registry/object-registry.js';
import { selectionOf } from '../registry/selection.js';
import type { ServerContext } from '../registry/server-context.js';
import { resourceKey } from '../resources/api-resource.js';
import { strategyOf } from '../strategies/strategies.js';
import { watchObjects } from '../watch/watch-objects.js';
import type { ApiResponse, ResourceRequest } from './api-request.js';
import { jsonResponse } from './json-response.js';
import { decodeObject } from './request-body.js';

/** Answers requests for resources, once their sender may make them. */
export class ResourceRequests {
  constructor(
    private readonly context: ServerContext,
    private readonly registry: ObjectRegistry,
  ) {}

  async answer(request: ResourceRequest, admit: Admit): Promise<ApiResponse> {
    const { resource, namespace, name, verb } = request.target;
    switch (verb) {
      case 'get':
        return jsonResponse(200, this.registry.get(resource, namespace, name));
      case 'list':
        return jsonResponse(200, await listObjects(this.context, request));
      case 'watch':
        return watchObjects(this.context, request);
      case 'create':
        return this.create(request, admit);
      case 'update': {
        const { object, created } = this.registry.update(scopeOf(request), name, decodeObject(request.body), admit);
        return jsonResponse(created ? 201 : 200, object);
      }
      case 'patch':
        return this.patch(request, admit);
      case 'delete':
        return this.delete(request);
      case 'deletecollection':
        return this.deleteCollection(request);
    }
  }

  private create(request: ResourceRequest, admit: Admit): ApiResponse {
    if (request.target.subresource !== '') {
      throw methodNotAllowed('the server does not allow this method on the requested resource');
    }
    return jsonResponse(201, this.registry.create(scopeOf(request), decodeObject(request.body), admit));
  }

  private patch(request: ResourceRequest, admit: Admit): ApiResponse {
    const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
    const change = (old: ApiObject): ApiObject => applyPatch(old, mediaType, request.body);
    return jsonResponse(200, this.registry.modify(scopeOf(request), request.target.name, change, admit));
  }

  private delete(request: ResourceRequest): ApiResponse {
    const { resource, namespace, name } = request.target;
    const found = this.registry.get(resource, namespace, name);
    const { object, gone } = deleteObject(this.context, this.registry, resource, found, deletionOptions(request));
    if (!gone || strategyOf(resource).returnsDeleted === true) return jsonResponse(200, object);
    return jsonResponse(200, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name,
        ...(resource.group !== '' && { group: resource.group }),
        kind: resource.plural,
        uid: object.metadata.uid,
      },
    });
  }

  private async deleteCollection(request: ResourceRequest): Promise<ApiResponse> {
    const { resource } = request.target;
    const list = await listObjects(this.context, request);
    const { matches } = selectionOf(request.target, request.query);
    const options = deletionOptions(request);
    for (const object of [...this.context.store.values(resourceKey(resource))].filter(matches)) {
      deleteObject(this.context, this.registry, resource, object, options);
    }
    return jsonResponse(200, list);
  }
}

function scopeOf({ target, user, query }: ResourceRequest): WriteScope {
  const { resource, namespace, subresource } = target;
  return {
    resource,
    namespace,
    user,
    ...(subresource !== '' && { subresource }),
    dryRun: query.get('dryRun') === 'All',
  };
}
