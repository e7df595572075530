import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StatusError } from '@podwright/grpc';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';
import { volumeFailure } from '@podwright/volume-interface';
import { DriverStore } from '../drivers/driver-store.js';
import { FakeDriver } from '../fixtures/fake-driver.js';
import type { CsiClient } from './csi-client.js';
import { csiOperation, type CsiOperation } from './csi-operation.js';
import { csiDriverConnector, RegisteredCsiClients } from './grpc-csi-client.js';
import { OperationMetrics } from './operation-metrics.js';

const clock = createSystemClock();
const never = new AbortController().signal;
const name = 'hostpath.csi.example';
let directory: string;
let driver: FakeDriver;
let metrics: ReturnType<typeof createMetricsRegistry>;
let clients: RegisteredCsiClients;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'csi-client-'));
  driver = new FakeDriver(path.join(directory, 'csi.sock'));
  await driver.listen();
  metrics = createMetricsRegistry();
  const drivers = new DriverStore();
  drivers.set({ name, endpoint: driver.socket, version: '1.0.0' });
  clients = new RegisteredCsiClients(drivers, csiDriverConnector({ clock, metrics: new OperationMetrics(metrics) }));
});

afterEach(async () => {
  driver.close();
  await rm(directory, { recursive: true });
});

const run = <T>(task: (client: CsiClient, operation: CsiOperation) => Promise<T>, signal = never): Promise<T> =>
  csiOperation(clock, signal, (operation) => task(clients.of(name), operation));
const stage = (): Promise<void> =>
  run((client, operation) => client.nodeStageVolume({ volumeId: 'v', stagingTargetPath: '/s' }, operation));
const failureOf = async (task: Promise<unknown>): Promise<readonly [string, string]> => {
  const error: unknown = await task.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return [(error as Error).message, volumeFailure(error)];
};

describe('the client of a CSI driver', () => {
  it('sends requests and reads answers', async () => {
    const topology = { segments: { 'topology.example/zone': 'a' } };
    driver.info = { nodeId: 'n', maxVolumesPerNode: 2n ** 40n, accessibleTopology: topology };
    expect(await run((client, operation) => client.nodeGetInfo(operation))).toEqual(driver.info);
    await run((client, operation) =>
      client.nodePublishVolume(
        { volumeId: 'v', targetPath: '/t', volumeCapability: { mount: { fsType: 'ext4' } }, secrets: { key: 'x' } },
        operation,
      ),
    );
    expect(driver.calls.at(-1)).toMatchObject([
      'nodePublishVolume',
      { volumeId: 'v', targetPath: '/t', volumeCapability: { mount: { fsType: 'ext4' }, block: undefined } },
    ]);
    const request = { volumeId: 'v', volumePath: '/t', capacityRange: { requiredBytes: 5n } };
    expect(await run((client, operation) => client.nodeExpandVolume(request, operation))).toBe(5n);
  });

  it('asks for the capabilities each time', async () => {
    const stages = (): Promise<boolean> =>
      run((client, operation) => client.supports('STAGE_UNSTAGE_VOLUME', operation));
    expect(await stages()).toBe(true);
    driver.capabilities = ['EXPAND_VOLUME'];
    expect(await stages()).toBe(false);
  });

  it.each([
    [1, 'Canceled', 'uncertain'],
    [4, 'DeadlineExceeded', 'uncertain'],
    [8, 'ResourceExhausted', 'uncertain'],
    [10, 'Aborted', 'uncertain'],
    [14, 'Unavailable', 'uncertain'],
    [2, 'Unknown', 'final'],
    [5, 'NotFound', 'final'],
    [13, 'Internal', 'final'],
  ])('takes status %i, %s, of staging as %s', async (code, status, failure) => {
    driver.failures.set('nodeStageVolume', new StatusError(code, 'because'));
    expect(await failureOf(stage())).toEqual([`rpc error: code = ${status} desc = because`, failure]);
  });

  it('never takes a failed unstage as uncertain', async () => {
    driver.failures.set('nodeUnstageVolume', new StatusError(14, 'because'));
    const request = { volumeId: 'v', stagingTargetPath: '/s' };
    const unstage = run((client, operation) => client.nodeUnstageVolume(request, operation));
    expect((await failureOf(unstage))[1]).toBe('final');
  });

  it('fails at once when the driver has gone, and works again when it is back', async () => {
    driver.close();
    expect((await failureOf(stage()))[1]).toBe('uncertain');
    await driver.listen();
    await stage();
  });

  it('says which driver is not registered', () => {
    const missing = 'driver name other not found in the list of registered CSI drivers';
    let error: unknown;
    try {
      clients.of('other');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'not-found', message: missing });
    expect(volumeFailure(error)).toBe('transient');
  });

  it('ends a call with the signal, and leaves the volume uncertain', async () => {
    driver.failures.set('nodeStageVolume', 'hang');
    const stopping = new AbortController();
    const staging = run(
      (client, operation) => client.nodeStageVolume({ volumeId: 'v', stagingTargetPath: '/s' }, operation),
      stopping.signal,
    );
    stopping.abort();
    expect((await failureOf(staging))[1]).toBe('uncertain');
  });

  it('sends nothing without a volume and a path', async () => {
    const request = { volumeId: '', stagingTargetPath: '/s' };
    const unstage = run((client, operation) => client.nodeUnstageVolume(request, operation));
    expect((await failureOf(unstage))[0]).toBe('missing volume id');
    expect(driver.calls).toEqual([]);
  });

  it('observes the duration of each call with its status', async () => {
    await stage();
    driver.failures.set('nodeStageVolume', new StatusError(5, 'because'));
    await failureOf(stage());
    const text = await metrics.render();
    for (const status of ['OK', 'NotFound']) {
      const labels = `driver_name="${name}",grpc_status_code="${status}",method_name="/csi.v1.Node/NodeStageVolume",migrated="false"`;
      expect(text).toContain(`csi_operations_seconds_count{${labels}} 1`);
    }
  });
});
