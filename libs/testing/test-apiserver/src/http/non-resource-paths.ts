import type { ApiRequest, ApiResponse } from './api-request.js';
import { jsonResponse, textResponse } from './json-response.js';

/** The answer of `/version`. */
export const serverVersion = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.0',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-04-22T00:00:00Z',
  goVersion: '',
  compiler: 'gc',
  platform: 'linux/amd64',
} as const;

/** The answer for `/version` and the health endpoints; undefined for other paths. */
export function nonResourceResponse({ path, query }: ApiRequest): ApiResponse | undefined {
  if (path === '/version' || path === '/version/') return jsonResponse(200, serverVersion);
  if (['/healthz', '/livez', '/readyz'].includes(path)) {
    return textResponse(200, query.has('verbose') ? `[+]ping ok\n${path.slice(1)} check passed\n` : 'ok');
  }
  return undefined;
}
