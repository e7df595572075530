import { KubeletError } from '@podwright/errors';

/**
 * Converts the configured endpoint for the exporter. Throws `invalid-argument` for an abstract socket, which Node
 * cannot connect to.
 */
export function collectorUrl(endpoint: string): string {
  if (endpoint.startsWith('unix-abstract:')) {
    throw new KubeletError(
      `tracing.endpoint ${JSON.stringify(endpoint)}: abstract sockets cannot be reached from here; use unix:/path or host:port`,
      { code: 'invalid-argument' },
    );
  }
  if (endpoint.startsWith('unix:')) return `unix://${endpoint.replace(/^unix:(\/\/)?/, '')}`;
  // dns:[//authority/]host:port
  return `http://${endpoint.replace(/^dns:(\/\/[^/]*\/)?/, '')}`;
}
