import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HealthStatus, type Claim, type NodePrepareResourcesResponse } from '@podwright/dra-interface';
import { SocketServer } from '@podwright/grpc';
import { draHealthMethods, draPluginMethods } from '@podwright/test-dra-driver';
import { createSystemClock } from '@podwright/time';
import { draDriverConnector, type DraDriverClient, type DraService } from './dra-driver-client.js';

const clock = createSystemClock();
const undo: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const claim: Claim = { namespace: 'default', uid: 'u', name: 'c' };
const device = { requestNames: ['r'], poolName: 'p', deviceName: 'd', cdiDeviceIds: ['x=y'] };
const answer: NodePrepareResourcesResponse = { claims: { u: { error: '', devices: [{ ...device, shareId: 's' }] } } };

/** A driver that serves this version alone, and its client. */
async function driver(
  service: DraService,
  prepare: (claims: readonly Claim[]) => Promise<NodePrepareResourcesResponse>,
): Promise<DraDriverClient> {
  const directory = await mkdtemp(path.join(tmpdir(), 'dra-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  const socket = path.join(directory, 'dra.sock');
  const server = new SocketServer(socket);
  const methods = draPluginMethods(service);
  server.unary(methods.nodePrepareResources, ({ claims }) => prepare(claims));
  server.unary(methods.nodeUnprepareResources, ({ claims }) => ({
    claims: Object.fromEntries(claims.map(({ uid, name }) => [uid, { error: `no ${name}` }])),
  }));
  server.stream(draHealthMethods.nodeWatchResources, (stream) => {
    const reported = { device: { poolName: 'p', deviceName: 'd' }, health: HealthStatus.UNHEALTHY };
    stream.write({
      devices: [{ ...reported, lastUpdatedTime: 7n, healthCheckTimeoutSeconds: 9n, message: 'hot' }],
    } as never);
    stream.end();
  });
  await server.listen();
  undo.push(() => server.close());
  const client = draDriverConnector(clock)(socket, service);
  undo.push(() => client.close());
  return client;
}

describe('the client of a driver', () => {
  it('speaks v1', async () => {
    const client = await driver('v1.DRAPlugin', async (claims) => {
      expect(claims).toEqual([claim]);
      return answer;
    });
    expect(await client.prepare([claim], { timeoutMs: 5_000 })).toEqual(answer);
    expect(await client.unprepare([claim], { timeoutMs: 5_000 })).toEqual({ claims: { u: { error: 'no c' } } });
  });

  it('speaks v1beta1, which has no share ids', async () => {
    const client = await driver('v1beta1.DRAPlugin', async () => answer);
    expect(await client.prepare([claim], { timeoutMs: 5_000 })).toEqual({
      claims: { u: { error: '', devices: [device] } },
    });
    expect(await client.unprepare([claim], { timeoutMs: 5_000 })).toEqual({ claims: { u: { error: 'no c' } } });
  });

  it('reads the health of devices until the stream ends', async () => {
    const client = await driver('v1.DRAPlugin', async () => answer);
    const lists: unknown[] = [];
    for await (const list of client.health(new AbortController().signal)) lists.push(list);
    const reported = { device: { poolName: 'p', deviceName: 'd' }, health: HealthStatus.UNHEALTHY };
    expect(lists).toEqual([[{ ...reported, lastUpdatedTime: 7n, healthCheckTimeoutSeconds: 9n, message: 'hot' }]]);
  });

  it('waits for an answer no longer than it is told, and not after the signal has aborted', async () => {
    const client = await driver('v1.DRAPlugin', () => new Promise(() => undefined));
    await expect(client.prepare([claim], { timeoutMs: 20 })).rejects.toMatchObject({ code: 'deadline-exceeded' });
    const ending = new AbortController();
    const waiting = expect(client.prepare([claim], { timeoutMs: 60_000, signal: ending.signal })).rejects.toThrow(
      'over',
    );
    ending.abort(new Error('over'));
    await waiting;
  });
});
