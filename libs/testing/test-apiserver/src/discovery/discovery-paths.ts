import { ApiError } from '@podwright/api-machinery';
import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../http/api-request.js';
import { jsonResponse, textResponse } from '../http/json-response.js';
import { OpenApiDocuments } from '../openapi/open-api-documents.js';
import type { ResourceTable } from '../resources/resource-table.js';
import { DiscoveryDocuments } from './discovery-documents.js';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Answers requests for discovery and OpenAPI documents. */
export class DiscoveryPaths {
  private readonly discovery: DiscoveryDocuments;
  private readonly openApi: OpenApiDocuments;

  constructor(table: ResourceTable) {
    this.discovery = new DiscoveryDocuments(table);
    this.openApi = new OpenApiDocuments(table);
  }

  /** The answer; undefined for other paths. @throws ApiError 406 when the client does not accept JSON. */
  answer({ path, headers }: Pick<ApiRequest, 'path' | 'headers'>): ApiResponse | undefined {
    const parts = path.split('/').filter((part) => part !== '');
    const [root = '', first = '', second = ''] = parts;
    const accept = headers['accept'] ?? '';
    if ((root === 'api' || root === 'apis') && parts.length === 1 && wantsAggregated(accept)) {
      const body = this.discovery.aggregated(root === 'api');
      return jsonResponse(200, body, {
        'content-type': aggregated,
        'cache-control': 'public',
        vary: 'Accept',
        etag: etagOf(body),
      });
    }
    if (root === 'openapi') return this.openApiAnswer(parts.slice(1), accept);
    const body = this.plainBody(root, first, second, parts.length, headers['host'] ?? '');
    return body === undefined ? undefined : jsonResponse(200, body);
  }

  private plainBody(root: string, first: string, second: string, depth: number, host: string): unknown {
    if (root === 'api') {
      if (depth === 1) return this.discovery.coreVersions(host);
      return depth === 2 ? this.discovery.resources('', first) : undefined;
    }
    if (root !== 'apis') return undefined;
    if (depth === 1) return this.discovery.groups();
    if (depth === 2) return this.discovery.group(first);
    return depth === 3 && first !== '' ? this.discovery.resources(first, second) : undefined;
  }

  private openApiAnswer([version = '', ...place]: readonly string[], accept: string): ApiResponse | undefined {
    if (accept !== '' && !/json|\*\/\*/.test(accept)) {
      const message = 'only the following media types are accepted: application/json';
      throw new ApiError(406, 'NotAcceptable', message);
    }
    if (version === 'v2') return jsonResponse(200, this.openApi.swagger());
    if (version !== 'v3') return undefined;
    if (place.length === 0) return textResponse(200, JSON.stringify(this.openApi.index()));
    const document = this.openApi.document(place.join('/'));
    if (document === undefined) return undefined;
    const body = new TextEncoder().encode(document);
    const headers = { 'content-type': 'application/json', 'content-length': String(body.byteLength) };
    return { status: 200, headers, body };
  }
}

function wantsAggregated(accept: string): boolean {
  return accept
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(
      (parts) =>
        parts.includes('g=apidiscovery.k8s.io') && parts.includes('v=v2') && parts.includes('as=APIGroupDiscoveryList'),
    );
}

function etagOf(body: unknown): string {
  return `"${createHash('sha512').update(JSON.stringify(body)).digest('hex').toUpperCase()}"`;
}
