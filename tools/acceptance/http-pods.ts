import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PodManifest } from './pod-manifests.js';

/** A loopback server that serves a PodList, as an operator would for static pods. */
export interface HttpPods {
  readonly url: string;
  pods: readonly PodManifest[];
  status: number;
  /** Headers of the last request. */
  readonly headers: IncomingHttpHeaders;
  close(): Promise<void>;
}

export async function staticPodsOverHttp(): Promise<HttpPods> {
  let headers: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    headers = request.headers;
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items: pods.pods });
    response.writeHead(pods.status, { 'Content-Type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pods: HttpPods = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pods`,
    pods: [],
    status: 200,
    get headers() {
      return headers;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return pods;
}
