import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on loopback that records its requests. */
export interface HookServer {
  readonly port: number;
  /** `<method> <path>` of each request. */
  readonly requests: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Resolves with the first request. */
  asked(): Promise<void>;
  close(): Promise<void>;
}

export interface HookServerOptions {
  /** Default 200. `never`: the server does not answer. */
  readonly status?: number | 'never';
}

export async function startHookServer({ status = 200 }: HookServerOptions = {}): Promise<HookServer> {
  const requests: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let tellAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    headers.push(request.headers);
    tellAsked();
    if (status !== 'never') response.writeHead(status).end('body');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    headers,
    asked: () => asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
