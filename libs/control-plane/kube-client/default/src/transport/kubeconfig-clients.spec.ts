import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { nodes } from '@podwright/kube-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createTestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { failed, TransportBench } from '../fixtures/transport-bench.js';
import { KubeconfigClients } from './kubeconfig-clients.js';

let bench: TransportBench;
beforeAll(async () => {
  bench = await TransportBench.create();
});
afterEach(() => bench.reset());
afterAll(() => bench.close());

const deps = { clock: createSystemClock(), random: createSystemRandom() };
const clients = (metrics = createMetricsRegistry()): KubeconfigClients =>
  new KubeconfigClients(deps.clock, deps.random, createMemoryLogger(), metrics, { userAgent: 'a/1' });

describe('clients of other kubeconfigs', () => {
  it('reach a server over TLS as who the kubeconfig says, and take their transport along', async () => {
    const server = createTestApiServer(deps);
    const listener = await server.listen();
    bench.later(async () => {
      server.stop();
      await listener.stop();
    });
    const user = { name: 'system:node:n1', groups: ['system:nodes'] };
    const metrics = createMetricsRegistry();
    const client = await clients(metrics).fromKubeconfig(await bench.file('kubelet.conf', listener.kubeconfig(user)));
    await client.start();
    expect(client.server).toBe(listener.url);
    const node = await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
    expect((await client.get(nodes, { name: 'n1' })).metadata?.uid).toBe(node.metadata?.uid);
    const forbidden = await failed(client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n2' } }));
    expect([hasCode(forbidden, 'permission-denied'), client.healthy().ok]).toEqual([true, true]);
    const seen: string[] = [];
    const informer = client.inform(nodes, { fieldSelector: 'metadata.name=n1' });
    informer.watch((change) => seen.push(change.type));
    informer.start();
    await informer.synced(AbortSignal.timeout(10_000));
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['n1']);
    await client.stop();
    expect(seen).toContain('replaced');
    expect(await metrics.render()).toContain('rest_client_transport_cache_entries 0\n');
  });

  it('are not made from a kubeconfig that cannot be used', async () => {
    const error = await failed(clients().fromKubeconfig(await bench.file('bad.conf', '{"clusters": 7}')));
    expect(hasCode(error, 'invalid-argument')).toBe(true);
    expect(error.message).toContain('bad.conf: clusters: expected list, got 7 (number)');
    expect(hasCode(await failed(clients().fromKubeconfig('/none/bootstrap.conf')), 'not-found')).toBe(true);
  });
});
