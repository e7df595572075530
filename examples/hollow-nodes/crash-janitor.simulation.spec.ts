import { expect, it } from '@jest/globals';
import { decodeBehaviour, startHollowNodes, type HollowNodes } from '@podwright/hollow-nodes';
import { pods } from '@podwright/kube-client-interface';
import { TestCluster } from '@podwright/test-cluster';
import { startCrashJanitor } from './crash-janitor.js';

const namespace = 'default';
// One pod in five crashes after a while; which ones depends on the seed alone.
const behaviour = `
apiVersion: hollow.podwright.dev/v1alpha1
kind: HollowBehaviour
containers: [{ start: 100ms..1s, crash: { share: 0.2, after: 1s..3s } }]`;

it('the janitor deletes the pods that crash on a hundred nodes, and no others', async () => {
  const cluster = new TestCluster(); // an API server in memory, on a clock that only this test moves
  const { clock, server } = cluster;
  const transport = (name: string) => server.transport({ name: `system:node:${name}`, groups: ['system:nodes'] });
  let fleet: HollowNodes | undefined;
  const started = startHollowNodes({ nodes: 100, transport, clock, behaviour: decodeBehaviour(behaviour, 'test') });
  void started.then((nodes) => (fleet = nodes));
  await clock.runUntil(() => fleet !== undefined, 60_000);
  const client = cluster.client();
  startCrashJanitor(client, namespace);
  for (const { name } of fleet?.nodes ?? []) {
    const spec = { nodeName: name, containers: [{ name: 'main', image: 'registry.test/main:1' }] };
    await client.create(pods, { metadata: { name: `on-${name}`, namespace }, spec });
  }
  await clock.advance(7_000);
  const { items } = await client.list(pods, { namespace });
  expect(items.every(({ status }) => status?.phase === 'Running')).toBe(true);
  expect(items.length).toBeGreaterThan(70);
  expect(items.length).toBeLessThan(90);
  const stopped = fleet?.stop().then(() => (fleet = undefined));
  await clock.runUntil(() => fleet === undefined, 60_000);
  await Promise.all([stopped, cluster.stop()]);
});
