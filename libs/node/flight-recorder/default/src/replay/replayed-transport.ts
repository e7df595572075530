import type { KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { apiKey, isWatch } from '../seams/api-request.js';
import type { ReplayedWorld } from './replayed-world.js';

/** The API server of a recording. */
export function replayedTransport(world: ReplayedWorld): KubeTransport {
  return {
    server: 'https://recording.invalid',
    start: async () => undefined,
    stop: async () => undefined,
    closeConnections: () => undefined,
    reloadCredentials: async () => undefined,
    send: async (request, signal): Promise<KubeHttpResponse> => {
      const asked = { seam: 'api', method: request.method, key: apiKey(request) } as const;
      // Each watch goes on where the one before has ended, and each POST makes another object. Of a status that is sent
      // more often than it was, the answer is the same once more.
      const changes = isWatch(request) || !['GET', 'PUT', 'PATCH'].includes(request.method);
      const { answer, items } = await world.open(asked, { signal, changes });
      const { status, headers } = answer as Pick<KubeHttpResponse, 'status' | 'headers'>;
      return { status, headers, body: bytesOf(items) };
    },
  };
}

async function* bytesOf(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const item of items) yield typeof item === 'string' ? Buffer.from(item) : (item as Uint8Array);
}
