import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeletError, messageOf } from '@podwright/errors';
import { encodeMetrics, negotiateFormat, type MetricsRegistry } from '@podwright/metrics';

export interface StatusServerParts {
  readonly metrics: MetricsRegistry;
  /** What `/readyz` says; undefined: every node that should be is Ready. */
  readonly unready: () => string | undefined;
}

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/healthz`, `/readyz` and `/metrics` of the process. Rejects with `unavailable` when the port is taken. */
export async function serveStatus(
  { host, port }: { readonly host: string; readonly port: number },
  parts: StatusServerParts,
): Promise<StatusServer> {
  const server = createServer((request, response) => {
    answer(request, response, parts).catch((error: unknown) => response.destroy(error as Error));
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new KubeletError(`cannot serve /metrics on ${host}:${port}: ${messageOf(error)}; change --status-address`, {
      code: 'unavailable',
      cause: error,
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: StatusServerParts): Promise<void> {
  switch (request.url?.split('?', 1)[0]) {
    case '/healthz':
      return plain(response, 200, 'ok');
    case '/readyz': {
      const unready = parts.unready();
      return plain(response, unready === undefined ? 200 : 503, unready ?? 'ok');
    }
    case '/metrics': {
      const { format, contentType } = negotiateFormat(request.headers.accept);
      response.writeHead(200, { 'Content-Type': contentType });
      for await (const piece of encodeMetrics(parts.metrics, format)) response.write(piece);
      response.end();
      return;
    }
    default:
      plain(response, 404, 'there are /healthz, /readyz and /metrics');
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
