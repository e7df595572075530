import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pods } from '@podwright/kube-client-interface';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

/** How many calls of each kind one pod causes, and how many bytes it sends to the API server. */
interface Work {
  readonly calls: Readonly<Record<string, number>>;
  readonly sentBytes: number;
}

const golden = path.join(__dirname, 'calls-per-pod.json');
const count = 10;
const nodeUser = 'system:node:node';

// What one pod costs decides what a node with many costs. A call more per pod is seen here and nowhere else, as no case
// waits for what tells nothing new. UPDATE_GOLDEN=1 writes the file anew; read what changed, and why.
describe('the work of one pod', () => {
  let sim: SimulatedCluster;
  afterEach(() => sim.dispose());

  it.each([
    ['with container lists each second', false],
    ['with container events', true],
  ])('is as it was, %s', async (name, EventedPLEG) => {
    const image = 'registry.test/main:1';
    sim = await SimulatedCluster.create({ jitterless: true, configuration: { featureGates: { EventedPLEG } } });
    sim.node.runtime.store.load(image);
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    await sim.node.clock.advance(10_000);
    const names = Array.from({ length: count }, (_, index) => `web-${String(index).padStart(2, '0')}`);

    const starting = await workOf(async () => {
      await sim.bindAll(names);
      await sim.until('all are Ready', async () => (await sim.pods()).filter(isReady).length === count);
    });
    const idleMinute = await workOf(() => sim.node.clock.advance(60_000));
    const ending = await workOf(async () => {
      await sim.finish(Promise.all(names.map((pod) => sim.admin.delete(pods, { namespace: 'default', name: pod }))));
      await sim.until('all are gone', async () => (await sim.pods()).length === 0);
    });
    await expectAsBefore(name, { starting, idleMinute, ending });
  });

  // A step that looks at all pods for each of them shows here: each pod of many then costs more than each of few.
  it('is no more for each of four times as many', async () => {
    const perPod = async (pods: number): Promise<Readonly<Record<string, number>>> => {
      sim = await SimulatedCluster.create({ jitterless: true });
      sim.node.runtime.store.load('registry.test/main:1');
      await sim.node.boot();
      await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
      await sim.node.clock.advance(10_000);
      const { calls } = await workOf(async () => {
        await sim.bindAll(Array.from({ length: pods }, (_, index) => `web-${index}`));
        await sim.until('all are Ready', async () => (await sim.pods()).filter(isReady).length === pods);
        await sim.node.clock.advance(60_000);
      }, pods);
      return calls;
    };
    const few = await perPod(count);
    await sim.dispose();
    const many = await perPod(4 * count);
    const grown = Object.entries(many).filter(([kind, calls]) => calls > (few[kind] ?? 0) + 0.1);
    expect(grown).toEqual([]);
  });

  async function workOf(run: () => Promise<unknown>, pods = count): Promise<Work> {
    const { runtime } = sim.node;
    runtime.calls.clear();
    sim.cluster.server.audit.clear();
    await run();
    const sent = sim.cluster.server.audit.entries.filter(({ user }) => user === nodeUser);
    const kinds = [
      ...runtime.calls.all.map(({ rpc }) => rpc as string),
      ...sent.map(({ verb, resource, subresource }) => [verb, resource, subresource].filter(Boolean).join(' ')),
    ].sort();
    const calls: Record<string, number> = {};
    for (const kind of kinds) calls[kind] = (calls[kind] ?? 0) + 1 / pods;
    const sentBytes = sent.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) / pods;
    return {
      calls: Object.fromEntries(Object.entries(calls).map(([k, n]) => [k, rounded(n)])),
      sentBytes: rounded(sentBytes),
    };
  }
});

const rounded = (value: number): number => Math.round(value * 100) / 100;

async function expectAsBefore(name: string, work: Readonly<Record<string, Work>>): Promise<void> {
  const before = JSON.parse(await readFile(golden, 'utf8')) as Record<string, unknown>;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    await writeFile(golden, `${JSON.stringify({ ...before, [name]: work }, null, 2)}\n`);
    return;
  }
  expect(work).toEqual(before[name]);
}
