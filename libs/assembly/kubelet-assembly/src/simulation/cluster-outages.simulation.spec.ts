import { afterEach, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '@podwright/test-apiserver';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

const node = { user: 'system:node:node' };
const minute = 60_000;

describe('a node whose API server has outages', () => {
  let sim: SimulatedCluster;
  afterEach(() => sim.dispose());

  const join = async (...names: readonly string[]): Promise<void> => {
    sim = await SimulatedCluster.create({ jitterless: true });
    sim.node.runtime.store.load('registry.test/main:1');
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    await sim.bindAll(names);
    for (const name of names) await sim.untilReady(name);
  };
  const startedContainers = (): readonly string[] => sim.node.runtime.control.containers().map(({ id }) => id);
  const requests = (match: Partial<AuditEntry>, sinceMs = 0): number =>
    sim.cluster.server.audit.entries.filter(
      (entry) =>
        entry.atMs >= sinceMs &&
        Object.entries(match).every(([field, value]) => entry[field as keyof AuditEntry] === value),
    ).length;

  it('leaves the pods alone while it is away for five minutes, and tells afterwards what happened meanwhile', async () => {
    await join('web', 'crashing');
    const ids = startedContainers();
    sim.cluster.server.stop();
    await sim.node.clock.advance(minute);
    sim.node.runtime.control.exitContainer(ids[1] ?? '', 1);
    await sim.node.clock.advance(4 * minute);
    expect(startedContainers().filter((id) => !ids.includes(id))).toHaveLength(1);
    const backAtMs = sim.node.clock.now();
    sim.cluster.server.start();
    await sim.until(
      'the restart is told',
      async () => (await sim.pods()).some(({ status }) => status?.containerStatuses?.[0]?.restartCount === 1),
      minute,
    );
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()), minute);
    await sim.node.clock.advance(minute);
    expect((await sim.pods()).map(isReady)).toEqual([true, true]);
    // What was watched goes on from where it was; nothing is listed anew.
    expect(requests({ ...node, verb: 'list' }, backAtMs)).toBe(0);
    expect(startedContainers().filter((id) => !ids.includes(id))).toHaveLength(1);
  });

  // The transport notices a dead connection by its pings; here there is none, and the watch's own deadline has to do.
  it('begins a watch again that has fallen silent', async () => {
    await join('web');
    const ids = startedContainers();
    sim.cluster.server.faults.blackHole();
    await sim.node.clock.advance(3 * minute);
    sim.cluster.server.faults.clear();
    await sim.bind('late');
    await sim.untilReady('late', 12 * minute);
    expect(startedContainers().slice(0, 1)).toEqual(ids);
  });

  it.each<[string, () => void]>([
    [
      'answers statuses with 409',
      () =>
        sim.cluster.server.faults.add(
          { type: 'status', status: 409, reason: 'Conflict' },
          { ...node, subresource: 'status' },
          30,
        ),
    ],
    [
      'asks for patience',
      () =>
        sim.cluster.server.faults.add(
          { type: 'status', status: 429, reason: 'TooManyRequests', retryAfterSeconds: 2 },
          node,
          40,
        ),
    ],
    [
      'fails inside',
      () => sim.cluster.server.faults.add({ type: 'status', status: 500, reason: 'InternalError' }, node, 40),
    ],
    ['sends garbage', () => sim.cluster.server.faults.add({ type: 'garbage' }, node, 25)],
    ['cuts its answers short', () => sim.cluster.server.faults.add({ type: 'cut', afterBytes: 40 }, node, 25)],
    [
      'breaks connections after it has done the work',
      () => sim.cluster.server.faults.add({ type: 'drop', done: true }, node, 25),
    ],
    ['sends garbage in its watches', () => sim.cluster.server.faults.streams.write('{"type":"ADDED","object":{"ki\n')],
    ['forgets its past', () => (sim.cluster.server.compact(), sim.cluster.server.faults.streams.cut())],
  ])('ends in the right state when it %s', async (_name, befall) => {
    await join('old');
    const [oldId] = startedContainers();
    befall();
    await sim.bindAll(['new-1', 'new-2']);
    await sim.untilReady('new-1', 5 * minute);
    await sim.untilReady('new-2', 5 * minute);
    await sim.delete('new-2');
    await sim.untilGone('new-2', 5 * minute);
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    expect((await sim.pods()).map(isReady)).toEqual([true, true]);
    const running = sim.node.runtime.control.containers().filter((container) => container.running);
    expect(running.map(({ id }) => id)).toContain(oldId);
    expect(running).toHaveLength(2);
  });

  it('renews its lease and reports its state while statuses and events wait', async () => {
    await join('web');
    sim.cluster.server.faults.add({ type: 'hang' }, { ...node, resource: 'pods' }, Number.POSITIVE_INFINITY);
    sim.cluster.server.faults.add({ type: 'hang' }, { ...node, resource: 'events' }, Number.POSITIVE_INFINITY);
    await sim.bindAll(Array.from({ length: 20 }, (_, index) => `more-${index}`));
    const sinceMs = sim.node.clock.now();
    await sim.node.clock.advance(5 * minute);
    expect(requests({ ...node, resource: 'leases', verb: 'update' }, sinceMs)).toBeGreaterThanOrEqual(28);
    expect(isReady(await sim.apiNode())).toBe(true);
  });
});
