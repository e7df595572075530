import { methodNotAllowed, type ApiObject, decodeObject } from '@podwright/api-machinery';
import { admit } from '../admission/admission-chain.js';
import type { AdmissionRequest } from '../admission/admission.js';
import type { ServiceAccountTokens } from '../identity/service-account-tokens.js';
import type { ObjectRegistry } from '../registry/object-registry.js';
import type { ServerContext } from '../registry/server-context.js';
import type { Reviews } from '../reviews/reviews.js';
import { bindPod } from '../subresources/bind-pod.js';
import { evictPod } from '../subresources/evict-pod.js';
import { createToken } from '../subresources/token-request.js';
import type { ApiResponse, ResourceRequest } from './api-request.js';
import { jsonResponse } from './json-response.js';

const done = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;

/** Handles POST to subresources, and of reviews, which are not stored. */
export class SubresourceCreations {
  constructor(
    private readonly context: ServerContext,
    private readonly registry: ObjectRegistry,
    private readonly tokens: ServiceAccountTokens,
    private readonly reviews: Reviews,
  ) {}

  answer(request: ResourceRequest): ApiResponse {
    const { resource, namespace, name, subresource } = request.target;
    const object = decodeObject(request.body);
    if (resource.virtual && resource.kind !== 'Binding') {
      return jsonResponse(201, this.reviews.answer({ ...object, kind: resource.kind }, request.user));
    }
    switch (resource.kind === 'Binding' ? 'pods/binding' : `${resource.plural}/${subresource}`) {
      case 'pods/binding': {
        const pod = name === '' ? (object.metadata.name ?? '') : name;
        bindPod(this.context, { namespace, name: pod, binding: this.admitted(request, object) });
        return jsonResponse(201, done);
      }
      case 'pods/eviction':
        evictPod(this.context, this.registry, { namespace, name, eviction: this.admitted(request, object) });
        return jsonResponse(201, done);
      case 'serviceaccounts/token': {
        const tokenRequest = this.admitted(request, object);
        return jsonResponse(201, createToken(this.context, this.tokens, { namespace, name, request: tokenRequest }));
      }
      default:
        throw methodNotAllowed('the server does not allow this method on the requested resource');
    }
  }

  private admitted({ target, user }: ResourceRequest, object: ApiObject): ApiObject {
    const { resource, namespace, name, subresource } = target;
    const asked: AdmissionRequest = { operation: 'CREATE', resource, namespace, name, subresource, user, object };
    return admit(asked, this.context) ?? object;
  }
}
