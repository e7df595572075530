import { noSuchResource } from '../api-error.js';
import { DiscoveryPaths } from '../discovery/discovery-paths.js';
import type { ResourceTable } from '../resources/resource-table.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { errorResponse, textResponse } from './json-response.js';
import { nonResourceResponse } from './non-resource-paths.js';
import type { ResourceRequests } from './resource-requests.js';
import { parseResourceTarget } from './resource-target.js';

/** Everything between a complete request of a known sender and its answer. Never rejects. */
export class ApiHandler {
  private readonly discovery: DiscoveryPaths;

  constructor(
    private readonly table: ResourceTable,
    private readonly requests: ResourceRequests,
  ) {
    this.discovery = new DiscoveryPaths(table);
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    try {
      const target = parseResourceTarget(this.table, request);
      if (target !== undefined) return await this.requests.answer({ ...request, target }, (object) => object);
      return nonResourceResponse(request) ?? this.discovery.answer(request) ?? unknownPath(request);
    } catch (error) {
      return errorResponse(error);
    }
  }
}

function unknownPath({ path }: ApiRequest): ApiResponse {
  return /^\/apis?(\/|$)/.test(path) ? textResponse(404, '404 page not found\n') : errorResponse(noSuchResource());
}
