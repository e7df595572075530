import { KubeletError } from '@podwright/errors';
import type { ServerRequest } from '@podwright/server-interface';

function asksForWebSocket({ headers }: Pick<ServerRequest, 'headers'>): boolean {
  const connection = (headers.connection ?? '').toLowerCase();
  const upgrade = headers.upgrade ?? '';
  return upgrade.toLowerCase() === 'websocket' && /(?:^|.*,\s*)upgrade(?:$|\s*,)/.test(connection);
}

/** Whether the WebSocket carries SPDY; each SPDY stream names its own port. */
function isTunnel({ headers }: Pick<ServerRequest, 'headers'>): boolean {
  const protocols = String(headers['sec-websocket-protocol'] ?? '').split(',');
  return protocols.some((name) => name.trim().startsWith('SPDY/3.1+') && name.trim().endsWith('.k8s.io'));
}

/**
 * The ports in the query of a legacy WebSocket request; empty for all other requests. Throws `invalid-argument`.
 * Source: kubernetes v1.36 staging/src/k8s.io/cri-streaming/pkg/streaming/portforward/websocket.go (NewV4Options).
 */
export function forwardedPorts(request: Pick<ServerRequest, 'headers' | 'query'>): readonly number[] {
  if (!asksForWebSocket(request) || isTunnel(request)) return [];
  const values = request.query.getAll('port');
  if (values.length === 0) throw invalid('query parameter "port" is required');
  return values.flatMap((value) => {
    if (value === '') throw invalid('query parameter "port" cannot be empty');
    return value.split(',').map((part) => port(value, part));
  });
}

function port(value: string, part: string): number {
  const quoted = JSON.stringify(value);
  const fault = (problem: string): KubeletError =>
    invalid(`unable to parse ${quoted} as a port: strconv.ParseUint: parsing ${JSON.stringify(part)}: ${problem}`);
  if (!/^\d+$/.test(part)) throw fault('invalid syntax');
  if (Number(part) > 65535) throw fault('value out of range');
  if (Number(part) < 1) throw invalid(`port ${quoted} must be > 0`);
  return Number(part);
}

const invalid = (message: string): KubeletError => new KubeletError(message, { code: 'invalid-argument' });
