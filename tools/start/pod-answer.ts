import http from 'node:http';
import type { Pod } from '@podwright/kube-types';

/** URL of the pod's first TCP port; undefined without such a port or without a pod IP. */
export function podUrl({ spec, status }: Pod): string | undefined {
  const port = spec.containers
    .flatMap(({ ports }) => ports ?? [])
    .find(({ protocol }) => protocol === undefined || protocol === 'TCP');
  if (port === undefined || status?.podIP === undefined) return undefined;
  const host = status.podIP.includes(':') ? `[${status.podIP}]` : status.podIP;
  return `http://${host}:${port.containerPort}/`;
}

/** Sends a GET request and resolves with the body. Rejects when there is no answer in time. */
export function ask(url: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer from ${url} within ${timeoutMs} ms`)));
    request.on('error', reject);
  });
}
