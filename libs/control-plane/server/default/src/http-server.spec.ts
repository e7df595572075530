import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { Health } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { describeServerContract, get, type ServerHarness } from '@podwright/server-interface/contract';
import { createHttpServer, type HttpServerDeps } from './http-server.js';
import type { ServerConfig } from './server-config.js';

/** In a configuration port 0 means off, so free ports are looked up first. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}

async function harness(config: Partial<ServerConfig> = {}): Promise<ServerHarness & { readonly config: ServerConfig }> {
  let pods: readonly Pod[] = [];
  let health: Health = { ok: true };
  const deps: HttpServerDeps = {
    pods: { getPods: () => pods } as Partial<HttpServerDeps['pods']> as HttpServerDeps['pods'],
    statuses: { getPodStatus: () => undefined } as Partial<HttpServerDeps['statuses']> as HttpServerDeps['statuses'],
    bootstrap: { healthy: () => health } as Partial<HttpServerDeps['bootstrap']> as HttpServerDeps['bootstrap'],
    metrics: createMetricsRegistry(),
    logger: createMemoryLogger(),
  };
  const [healthzPort = 0, readOnlyPort = 0] = await freePorts(2);
  const full: ServerConfig = {
    address: '127.0.0.1',
    readOnlyPort,
    healthzBindAddress: '127.0.0.1',
    healthzPort,
    ...config,
  };
  return {
    server: createHttpServer(deps, full),
    rival: createHttpServer(deps, full),
    setPods: (all) => void (pods = all),
    setHealth: (next) => void (health = next),
    config: full,
  };
}

describeServerContract('HttpServer', harness);

describe('HttpServer', () => {
  it('opens nothing that is off', async () => {
    const { server } = await harness({ healthzPort: 0, readOnlyPort: 0 });
    await server.start();
    expect(server.addresses()).toEqual({});
    await server.stop();
  });

  it('names the fields of a port that is taken, and frees the port that it had opened', async () => {
    const first = await harness({ healthzPort: 0 });
    await first.server.start();
    const second = await harness({ readOnlyPort: first.config.readOnlyPort });
    await expect(second.server.start()).rejects.toThrow(
      /^cannot listen for the read-only port on 127\.0\.0\.1:\d+: .*; free the port or change address and readOnlyPort$/,
    );
    await expect(get(`127.0.0.1:${second.config.healthzPort}`, '/healthz')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await first.server.stop();
  });
});
