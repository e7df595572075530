import { noSuchResource, parseFieldSelector, type FieldRequirement } from '@podwright/api-machinery';
import { DiscoveryPaths } from '../discovery/discovery-paths.js';
import { attributesOf } from '../authorization/attributes.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { ResourceTable } from '../resources/resource-table.js';
import type { ApiRequest, ApiResponse, ResourceRequest } from './api-request.js';
import { errorResponse, textResponse } from './json-response.js';
import type { ObjectContents } from './object-content.js';
import { nonResourceResponse } from './non-resource-paths.js';
import type { ResourceAnswers } from './negotiated-requests.js';
import { parseResourceTarget } from './resource-target.js';

/** Answers a request in place of the handler; undefined passes it on. */
export type RequestExtension = (
  request: ApiRequest | ResourceRequest,
) => Promise<ApiResponse | undefined> | ApiResponse | undefined;

/** Handles authenticated requests: authorization, then the answer. Rejects only when the request's signal aborts. */
export class ApiHandler {
  /** Called in order, after authorization. */
  readonly extensions: RequestExtension[] = [];

  private readonly discovery: DiscoveryPaths;

  constructor(
    private readonly table: ResourceTable,
    private readonly requests: ResourceAnswers,
    private readonly contents: ObjectContents,
    private readonly authorizer: Authorizer,
  ) {
    this.discovery = new DiscoveryPaths(table);
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    try {
      const target = parseResourceTarget(this.table, request);
      if (target === undefined) {
        this.authorizer.checkPath(request.user, request.method, request.path);
        return (
          (await this.extended(request)) ??
          nonResourceResponse(request) ??
          this.discovery.answer(request) ??
          unknownPath(request)
        );
      }
      this.authorizer.check(attributesOf(request.user, target, fieldsOf(request)));
      const resourceRequest = { ...request, target };
      return (await this.extended(resourceRequest)) ?? (await this.requests.answer(resourceRequest));
    } catch (error) {
      if (request.signal.aborted) throw error;
      return this.contents.accepted(request.headers['accept'], errorResponse(error));
    }
  }

  private async extended(request: ApiRequest): Promise<ApiResponse | undefined> {
    for (const extension of this.extensions) {
      const response = await extension(request);
      if (response !== undefined) return response;
    }
    return undefined;
  }
}

/** The field selector; empty when it is malformed, because the request is refused later. */
function fieldsOf({ query }: ApiRequest): readonly FieldRequirement[] {
  try {
    return parseFieldSelector(query.get('fieldSelector') ?? '');
  } catch {
    return [];
  }
}

function unknownPath({ path }: ApiRequest): ApiResponse {
  return /^\/apis?(\/|$)/.test(path) ? textResponse(404, '404 page not found\n') : errorResponse(noSuchResource());
}
