import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { KubeApiError, leases, nodes, type KubeClient } from '@podwright/kube-client-interface';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import type { Lease } from '@podwright/kube-types';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import type { NodeLease } from '@podwright/node-lease-interface';
import { describeNodeLeaseContract } from '@podwright/node-lease-interface/contract';
import { TestCluster } from '@podwright/test-cluster';
import { createSeededRandom } from '@podwright/time';
import { desiredLease } from './desired-lease.js';
import { createContractHarness } from './fixtures/contract-harness.js';
import { createRenewingNodeLease } from './renewing-node-lease.module.js';

type Call = 'get leases' | 'get nodes' | 'create leases' | 'update leases';
const name = { namespace: 'kube-node-lease', name: 'n1' };
const away = (): KubeApiError => new KubeApiError('connection refused', { code: 'unavailable', httpStatus: 0 });
const conflict = (): KubeApiError =>
  new KubeApiError('the object has been modified', { code: 'aborted', httpStatus: 409 });

let cluster: TestCluster;
let admin: KubeClient;
let logger: MemoryLogger;
let journal: RecordingJournal;
/** Each call of the kubelet, with the second of its time. */
let calls: { readonly call: Call; readonly atMs: number; readonly options: unknown }[];
let closed: number;
/** Makes a call fail. */
let fault: (call: Call) => Error | undefined;

function kubelet(): Pick<KubeClient, 'server' | 'get' | 'create' | 'update' | 'closeConnections'> {
  const client = cluster.client({ name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] });
  const around = async <T>(call: Call, options: unknown, send: () => Promise<T>): Promise<T> => {
    calls.push({ call, atMs: cluster.clock.monotonic(), options });
    const error = fault(call);
    if (error !== undefined) throw error;
    return send();
  };
  return {
    server: client.server,
    get: (type, object, options) =>
      around(`get ${type.plural}` as Call, options, () => client.get(type, object, options)),
    create: (type, object, options) =>
      around(`create ${type.plural}` as Call, options, () => client.create(type, object, options)),
    update: (type, object, options) =>
      around(`update ${type.plural}` as Call, options, () => client.update(type, object, options)),
    closeConnections: () => void closed++,
  };
}

const renewing = (leaseDurationSeconds = 40): NodeLease =>
  createRenewingNodeLease(
    { client: kubelet(), clock: cluster.clock, random: createSeededRandom('lease'), logger, journal },
    { nodeName: 'n1', leaseDurationSeconds },
  );
const stored = (): Promise<Lease | undefined> =>
  admin.get(leases, name).catch((error: unknown) => {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  });
const createNode = async (): Promise<string> =>
  (await admin.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } })).metadata?.uid ?? '';
const names = (): readonly Call[] => calls.map(({ call }) => call);

beforeEach(() => {
  cluster = new TestCluster();
  admin = cluster.client();
  logger = createMemoryLogger(0);
  journal = new RecordingJournal();
  calls = [];
  closed = 0;
  fault = () => undefined;
});
afterEach(() => cluster.stop());

describeNodeLeaseContract('RenewingNodeLease', createContractHarness);

describe('RenewingNodeLease', () => {
  it('renews from its last answer alone, each quarter of the duration and up to 4 % later, without rate limit', async () => {
    await createNode();
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(60_000);
    await lease.stop();
    expect(names()).toEqual(['get leases', 'get nodes', 'create leases', ...new Array<Call>(5).fill('update leases')]);
    const times = calls.slice(2).map(({ atMs }) => atMs);
    for (const [index, atMs] of times.slice(1).entries()) {
      const pause = atMs - (times[index] ?? 0);
      expect(pause).toBeGreaterThanOrEqual(10_000);
      expect(pause).toBeLessThan(10_400);
    }
    for (const { options } of calls) expect(options).toMatchObject({ budget: 'heartbeat', timeoutMs: 10_000 });
  });

  it('takes over the lease of an earlier kubelet, with its own duration', async () => {
    const uid = await createNode();
    const first = renewing(40);
    await first.start();
    await cluster.clock.advance(1_000);
    await first.stop();
    const second = renewing(20);
    await second.start();
    await cluster.clock.advance(1_000);
    await second.stop();
    expect(names().slice(-2)).toEqual(['get leases', 'update leases']);
    expect(await stored()).toMatchObject({
      metadata: { ownerReferences: [{ uid }] },
      spec: { leaseDurationSeconds: 20 },
    });
  });

  it('makes no lease without its Node, and tries again each period', async () => {
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(25_000);
    expect(await stored()).toBeUndefined();
    expect(names()).toEqual(['get leases', 'get nodes', 'get leases', 'get nodes', 'get leases', 'get nodes']);
    const uid = await createNode();
    await cluster.clock.advance(11_000);
    expect((await stored())?.metadata?.ownerReferences).toMatchObject([{ uid }]);
    await lease.stop();
    expect(logger.messages('error')).toEqual(['Failed to get node when trying to set owner ref to the node lease']);
    expect(logger.messages('info')).toEqual([
      'The node is not registered yet, its lease follows',
      'The lease of the node is renewed again',
    ]);
  });

  it('pauses 200 ms, 400 ms and so on up to 7 s while it cannot get or create', async () => {
    await createNode();
    fault = away;
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(300_000);
    const pauses = calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? 0));
    expect(pauses.slice(0, 8)).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 7_000, 7_000]);
    expect(lease.healthy()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('connection refused') as never,
    });
    // One line for five minutes of outage, with what helps.
    expect(logger.entries).toMatchObject([
      {
        message: 'Failed to ensure lease exists, will retry',
        fields: { advice: expect.stringContaining('livez') as never },
      },
    ]);
    fault = () => undefined;
    await cluster.clock.advance(7_000);
    expect(await stored()).toBeDefined();
    expect(journal.decisions).toEqual([
      { kind: 'lease.failed', error: 'connection refused' },
      { kind: 'lease.renewed' },
    ]);
    expect(logger.entries.at(-1)).toMatchObject({ message: 'The lease of the node is renewed again' });
    await lease.stop();
  });

  it('tries to renew five times, closes idle connections from the second failure on, then looks for the lease', async () => {
    await createNode();
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(1_000);
    calls.length = 0;
    fault = (call) => (call === 'update leases' ? away() : undefined);
    await cluster.clock.runUntil(() => calls.length === 11, 20_000);
    expect(names()).toEqual([
      ...new Array<Call>(5).fill('update leases'),
      'get leases',
      ...new Array<Call>(5).fill('update leases'),
    ]);
    expect(closed).toBe(8);
    await lease.stop();
  });

  it('after a conflict reads the newer version and updates that', async () => {
    await createNode();
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(1_000);
    calls.length = 0;
    const found = await stored();
    await admin.update(leases, { ...found, metadata: { ...found?.metadata, labels: { by: 'another' } } } as Lease);
    await cluster.clock.advance(12_000);
    await lease.stop();
    expect(names()).toEqual(['update leases', 'get leases', 'update leases']);
    expect((await stored())?.metadata?.labels).toEqual({ by: 'another' });
    expect(closed).toBe(0);
  });

  it('gives up a storm of conflicts after five tries, until the next period', async () => {
    await createNode();
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(1_000);
    calls.length = 0;
    fault = (call) => (call === 'update leases' ? conflict() : undefined);
    await cluster.clock.advance(10_500);
    // Five of the cached lease, then five more of the one that was found: upstream's controller does the same.
    expect(names().filter((call) => call === 'update leases')).toHaveLength(10);
    fault = () => undefined;
    await cluster.clock.advance(10_500);
    expect(lease.healthy()).toEqual({ ok: true });
    await lease.stop();
  });

  it('a Node that was deleted and made again owns the new lease', async () => {
    const first = await createNode();
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(1_000);
    await admin.delete(nodes, { name: 'n1' });
    // The garbage collector of a cluster takes the lease away with its owner.
    await admin.delete(leases, name).catch(() => undefined);
    await cluster.clock.advance(15_000);
    expect(await stored()).toBeUndefined();
    const second = await createNode();
    expect(second).not.toBe(first);
    await cluster.clock.advance(15_000);
    expect((await stored())?.metadata?.ownerReferences).toMatchObject([{ kind: 'Node', name: 'n1', uid: second }]);
    await lease.stop();
  });

  it.each([
    ['unauthenticated', 401, 'certificate'],
    ['permission-denied', 403, 'system:node:n1'],
  ] as const)('tells what helps against %s', async (code, httpStatus, hint) => {
    fault = () => new KubeApiError('no', { code, httpStatus });
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(60_000);
    await lease.stop();
    expect(logger.messages('error')).toHaveLength(1);
    expect(String(logger.entries[0]?.fields['advice'])).toContain(hint);
  });

  it('leaves the lease when it stops, also in the middle of a back-off, and no timer', async () => {
    await createNode();
    const lease = renewing();
    await lease.start();
    await cluster.clock.advance(1_000);
    fault = away;
    await cluster.clock.advance(12_000);
    await lease.stop();
    expect(cluster.clock.pendingTimers).toBe(0);
    expect(await stored()).toBeDefined();
  });

  it('names the option that is out of range', () => {
    expect(() => renewing(0)).toThrow('leaseDurationSeconds');
  });

  it('writes times with six digits after the point', () => {
    const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 67);
    const { spec } = desiredLease(undefined, { nodeName: 'n', leaseDurationSeconds: 40, nowMs });
    expect(spec?.renewTime).toBe('2026-01-02T03:04:05.067000Z');
  });
});
