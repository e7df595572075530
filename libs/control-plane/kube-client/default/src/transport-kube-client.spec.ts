import { describe, expect, it } from '@jest/globals';
import { pods, type KubeHttpRequest, type KubeTransport } from '@podwright/kube-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { createKubeClient } from './create-kube-client.js';

describe('TransportKubeClient', () => {
  it('gets an object', async () => {
    const seen: KubeHttpRequest[] = [];
    const transport: KubeTransport = {
      server: 'https://api.test:6443',
      start: async () => {},
      stop: async () => {},
      closeConnections: () => {},
      reloadCredentials: async () => {},
      send: async (request) => {
        seen.push(request);
        return {
          status: 200,
          headers: {},
          body: (async function* () {
            yield Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}');
          })(),
        };
      },
    };
    const client = createKubeClient({
      transport,
      clock: new VirtualClock(),
      random: createSeededRandom('1'),
      logger: createMemoryLogger(),
      metrics: createMetricsRegistry(),
    });
    const pod = await client.get(pods, { namespace: 'ns', name: 'a' });
    expect(pod.metadata.name).toBe('a');
    expect(seen[0]?.path).toBe('/api/v1/namespaces/ns/pods/a');
  });
});
