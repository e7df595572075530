import { applyPatch, type ApiObject, decodeObject, deletionOptions, qualified } from '@podwright/api-machinery';
import { admit } from '../admission/admission-chain.js';
import type { AdmissionOperation } from '../admission/admission.js';
import { isServerSideApply, serverSideApply } from '../patch/server-side-apply.js';
import { deleteObject } from '../registry/delete-object.js';
import { listObjects } from '../registry/list-objects.js';
import type { Admit, ObjectRegistry, WriteScope } from '../registry/object-registry.js';
import { selectionOf } from '../registry/selection.js';
import type { ServerContext } from '../registry/server-context.js';
import { strategyOf } from '../strategies/strategies.js';
import { watchObjects } from '../watch/watch-objects.js';
import type { ApiResponse, ResourceRequest } from './api-request.js';
import { jsonResponse } from './json-response.js';
import type { SubresourceCreations } from './subresource-creations.js';

/** Answers authorized requests for resources. */
export class ResourceRequests {
  constructor(
    private readonly context: ServerContext,
    private readonly registry: ObjectRegistry,
    private readonly subresources: SubresourceCreations,
  ) {}

  async answer(request: ResourceRequest): Promise<ApiResponse> {
    const { resource, namespace, name, verb } = request.target;
    switch (verb) {
      case 'get':
        return jsonResponse(200, this.registry.get(resource, namespace, name));
      case 'list':
        return jsonResponse(200, await listObjects(this.context, request));
      case 'watch':
        return watchObjects(this.context, request);
      case 'create':
        return this.create(request);
      case 'update': {
        const given = decodeObject(request.body);
        const { object, created } = this.registry.update(scopeOf(request), name, given, this.admission(request));
        return jsonResponse(created ? 201 : 200, object);
      }
      case 'patch':
        return this.patch(request);
      case 'delete':
        return this.delete(request);
      case 'deletecollection':
        return this.deleteCollection(request);
    }
  }

  private create(request: ResourceRequest): ApiResponse {
    const { resource, subresource } = request.target;
    if (subresource !== '' || resource.virtual) return this.subresources.answer(request);
    const object = this.registry.create(scopeOf(request), decodeObject(request.body), this.admission(request));
    return jsonResponse(201, object);
  }

  private patch(request: ResourceRequest): ApiResponse {
    const { resource, namespace, name } = request.target;
    const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
    const scope = scopeOf(request);
    const admission = this.admission(request);
    if (isServerSideApply(mediaType)) {
      const old = this.registry.find(resource, namespace, name);
      const applied = serverSideApply(old, request, this.context.clock.now());
      if (old === undefined) return jsonResponse(201, this.registry.create(scope, applied, admission));
      return jsonResponse(
        200,
        this.registry.modify(scope, name, () => applied, admission),
      );
    }
    const change = (old: ApiObject): ApiObject => applyPatch(old, mediaType, request.body);
    return jsonResponse(200, this.registry.modify(scope, name, change, admission));
  }

  private delete(request: ResourceRequest): ApiResponse {
    const { resource, namespace, name } = request.target;
    const found = this.registry.get(resource, namespace, name);
    this.admitDeletion(request, found);
    const { object, gone } = deleteObject(
      this.context,
      this.registry,
      resource,
      found,
      deletionOptions(request.body, request.query),
    );
    if (!gone || strategyOf(resource).returnsDeleted === true) return jsonResponse(200, object);
    const { group, plural } = resource;
    const { uid } = object.metadata;
    const details = { name, ...(group !== '' && { group }), kind: plural, uid };
    return jsonResponse(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  }

  private async deleteCollection(request: ResourceRequest): Promise<ApiResponse> {
    const { resource } = request.target;
    const list = await listObjects(this.context, request);
    const { matches } = selectionOf(request.target, request.query);
    const options = deletionOptions(request.body, request.query);
    for (const object of [...this.context.store.values(qualified(resource))].filter(matches)) {
      this.admitDeletion(request, object);
      deleteObject(this.context, this.registry, resource, object, options);
    }
    return jsonResponse(200, list);
  }

  private admitDeletion({ target, user }: ResourceRequest, old: ApiObject): void {
    const { resource, namespace, subresource } = target;
    const name = old.metadata.name ?? '';
    admit({ operation: 'DELETE', resource, namespace, name, subresource, user, old }, this.context);
  }

  private admission({ target, user }: ResourceRequest): Admit {
    const { resource, namespace, name, subresource } = target;
    return (object, old) => {
      const operation: AdmissionOperation = old === undefined ? 'CREATE' : 'UPDATE';
      const named = name === '' ? (object.metadata.name ?? '') : name;
      const asked = { operation, resource, namespace, name: named, subresource, user, object, ...(old && { old }) };
      return admit(asked, this.context) ?? object;
    };
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
