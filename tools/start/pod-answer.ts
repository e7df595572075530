import http from 'node:http';
import type { Pod } from '@podwright/kube-types';

/** URL of the first container port of a pod that is not on UDP; undefined when it has none or no address yet. */
export function podUrl({ spec, status }: Pod): string | undefined {
  const port = spec.containers
    .flatMap(({ ports }) => ports ?? [])
    .find(({ protocol }) => protocol === undefined || protocol === 'TCP');
  if (port === undefined || status?.podIP === undefined) return undefined;
  const host = status.podIP.includes(':') ? `[${status.podIP}]` : status.podIP;
  return `http://${host}:${port.containerPort}/`;
}

/** Body of the answer. Rejects when nothing answers within the time. */
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
