import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { KubeconfigClients } from '@podwright/kube-client';
import { nodes } from '@podwright/kube-client-interface';
import { createKubeTransports } from '@podwright/kube-transport';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createTestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kubeconfig-clients-'));
});
afterAll(() => rm(folder, { recursive: true }));

const written = async (name: string, content: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
};
const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing failed'),
    (thrown: unknown) => thrown as Error,
  );

const deps = { clock: createSystemClock(), random: createSystemRandom() };
const clients = (metrics = createMetricsRegistry()): KubeconfigClients => {
  const logger = createMemoryLogger();
  const transports = createKubeTransports({ clock: deps.clock, logger, metrics });
  return new KubeconfigClients(
    { ...deps, logger, metrics, transports },
    { userAgent: 'a/1', contentType: 'application/json', allowCbor: false, preferCbor: false },
  );
};

describe('clients of other kubeconfigs', () => {
  it('reach a server over TLS as who the kubeconfig says, and take their transport along', async () => {
    const server = createTestApiServer(deps);
    const listener = await server.listen();
    const user = { name: 'system:node:n1', groups: ['system:nodes'] };
    const metrics = createMetricsRegistry();
    const client = await clients(metrics).fromKubeconfig(await written('kubelet.conf', listener.kubeconfig(user)));
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
    server.stop();
    await listener.stop();
    expect(seen).toContain('replaced');
    expect(await metrics.render()).toContain('rest_client_transport_cache_entries 0\n');
  });

  it('are not made from a kubeconfig that cannot be used', async () => {
    const error = await failed(clients().fromKubeconfig(await written('bad.conf', '{"clusters": 7}')));
    expect(hasCode(error, 'invalid-argument')).toBe(true);
    expect(error.message).toContain('bad.conf: clusters: expected list, got 7 (number)');
    expect(hasCode(await failed(clients().fromKubeconfig('/none/bootstrap.conf')), 'not-found')).toBe(true);
  });
});
