import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HealthStatus, type Claim } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import { PluginConnection } from '@podwright/grpc';
import { createSystemClock, eventually } from '@podwright/time';
import type { ResourceClaim, ResourceSlice } from '@podwright/kube-types';
import { dRAPluginMethods as methods } from './fixtures/generated/dra-client-codecs.js';
import { dRAResourceHealthMethods } from './fixtures/generated/dra-health-client-codecs.js';
import { TestDraDriver } from './test-dra-driver.js';
import type { TestDraDriverOptions } from './test-dra-driver-options.js';

const claim: Claim = { namespace: 'default', name: 'a', uid: 'uid-a' };
const clock = createSystemClock();
const timeoutMs = 5_000;

/** An API server with one claim; it has the driver's slice when somebody creates one. */
class Objects {
  readonly created: ResourceSlice[] = [];
  private listener: (change: { readonly type: string }) => void = () => undefined;
  private slices: ResourceSlice[] = [];
  readonly claim = {
    metadata: { namespace: 'default', name: 'a', uid: 'uid-a' },
    spec: {},
    status: {
      allocation: {
        devices: {
          results: [
            { driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0', request: 'r/first', shareID: 's' },
            { driver: 'other.example.com', pool: 'n1', device: 'x', request: 'r' },
          ],
        },
      },
    },
  } as unknown as ResourceClaim;

  readonly client = {
    get: async (_type: unknown, { name }: { readonly name: string }) => {
      if (name === 'a') return this.claim;
      throw new KubeletError(`resourceclaims.resource.k8s.io "${name}" not found`, { code: 'not-found' });
    },
    create: async (_type: unknown, slice: ResourceSlice) => {
      this.created.push(slice);
      this.slices = [slice];
      return slice;
    },
    inform: () => ({
      start: () => this.listener({ type: 'replaced' }),
      stop: async () => undefined,
      watch: (listener: typeof this.listener) => void (this.listener = listener),
      list: () => this.slices,
    }),
  } as unknown as TestDraDriverOptions['client'];

  wipe(): void {
    this.slices = [];
    this.listener({ type: 'deleted' });
  }
}

describe('TestDraDriver', () => {
  let dir: string;
  let objects: Objects;
  let driver: TestDraDriver;
  let connection: PluginConnection;

  const connect = (socket = 'dra.sock'): PluginConnection =>
    PluginConnection.lazy(path.join(dir, 'plugins/gpu.example.com', socket), { clock });
  const prepare = (...claims: readonly Claim[]): ReturnType<typeof call> => call(methods.nodePrepareResources, claims);
  const call = async (
    method: typeof methods.nodePrepareResources | typeof methods.nodeUnprepareResources,
    claims: readonly Claim[],
  ): Promise<{ readonly claims: Readonly<Record<string, object>> }> =>
    connection.unary(method as typeof methods.nodePrepareResources, { claims }, { timeoutMs });
  const specFiles = async (): Promise<readonly string[]> => readdir(path.join(dir, 'cdi'));

  beforeEach(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'dra-'));
    objects = new Objects();
    const { client } = objects;
    driver = new TestDraDriver({
      ...{ name: 'gpu.example.com', nodeName: 'n1', client, cdiDir: path.join(dir, 'cdi') },
      devices: [{ name: 'gpu-0', attributes: { model: 'x' } }],
    });
    await driver.start(dir);
    connection = connect();
  });
  afterEach(async () => {
    connection.close();
    await driver.stop();
    await rm(dir, { recursive: true });
  });

  it('prepares its devices of a claim as CDI devices, and releases them, as often as it is asked', async () => {
    const id = 'gpu.example.com/device=uid-a-gpu-0';
    const device = { requestNames: ['r'], poolName: 'n1', deviceName: 'gpu-0', cdiDeviceIds: [id], shareId: 's' };
    const answer = { claims: { 'uid-a': { error: '', devices: [device] } } };
    expect(await prepare(claim)).toEqual(answer);
    expect(await prepare(claim)).toEqual(answer);
    const [file = ''] = await specFiles();
    expect(JSON.parse(await readFile(path.join(dir, 'cdi', file), 'utf8'))).toMatchObject({
      kind: 'gpu.example.com/device',
      devices: [{ name: 'uid-a-gpu-0', containerEdits: { env: ['DRA_GPU_0=n1/gpu-0'] } }],
    });
    expect(await driver.prepared()).toEqual(['default/a']);
    for (const _time of [1, 2]) {
      expect(await call(methods.nodeUnprepareResources, [claim])).toEqual({ claims: { 'uid-a': { error: '' } } });
    }
    expect(await specFiles()).toEqual([]);
  });

  it('answers for each claim alone, with what is wrong with it', async () => {
    const { claims } = await prepare({ ...claim, uid: 'old' }, { ...claim, name: 'b', uid: 'uid-b' });
    expect(claims).toEqual({
      old: { devices: [], error: 'claim default/a is not the one with UID old' },
      'uid-b': { devices: [], error: 'resourceclaims.resource.k8s.io "b" not found' },
    });
  });

  it('answers wrongly on demand', async () => {
    driver.faults.add({ type: 'claim-error', message: 'no power' }, { rpc: 'NodePrepareResources' });
    driver.faults.add({ type: 'skip-claims' }, { claim: 'a' });
    driver.faults.add({ type: 'unknown-claim' });
    expect(await prepare(claim)).toEqual({ claims: { 'uid-a': { devices: [], error: 'no power' } } });
    expect(await prepare(claim)).toEqual({ claims: {} });
    expect(Object.keys((await prepare(claim)).claims)).toEqual(['uid-a', 'nobody-asked']);
    driver.faults.add({ type: 'status', status: 'UNAVAILABLE', message: 'later' });
    await expect(prepare(claim)).rejects.toMatchObject({ code: 'unavailable', message: 'later' });
  });

  it('dies with its work done, and comes back under another socket', async () => {
    driver.faults.add({ type: 'die', done: true });
    await expect(prepare(claim)).rejects.toMatchObject({ code: expect.stringMatching(/cancelled|unavailable/) });
    await driver.start(dir, { socketName: 'new.sock' });
    connection.close();
    connection = connect('new.sock');
    expect(await driver.prepared()).toEqual(['default/a']);
    await call(methods.nodeUnprepareResources, [claim]);
    expect(await driver.prepared()).toEqual([]);
  });

  it('reports the health of all devices, at first and after each change', async () => {
    const ending = new AbortController();
    const lists: unknown[] = [];
    for await (const { devices } of connection.stream(dRAResourceHealthMethods.nodeWatchResources, {}, ending)) {
      lists.push(devices.map(({ device, health, message }) => [device?.deviceName, health, message]));
      if (lists.length === 2) break;
      driver.setHealth('gpu-0', 'Unhealthy', 'hot');
    }
    expect(lists).toEqual([[['gpu-0', HealthStatus.HEALTHY, '']], [['gpu-0', HealthStatus.UNHEALTHY, 'hot']]]);
    expect(() => driver.setHealth('x', 'Healthy')).toThrow('there is no device x');
  });

  it('publishes its slice, also again after somebody deleted it', async () => {
    await eventually(() => objects.created.length === 1);
    objects.wipe();
    await eventually(() => objects.created.length === 2);
    expect(objects.created[1]?.spec).toMatchObject({
      ...{ driver: 'gpu.example.com', nodeName: 'n1', pool: { name: 'n1' } },
      devices: [{ name: 'gpu-0', attributes: { model: { string: 'x' } } }],
    });
  });
});
