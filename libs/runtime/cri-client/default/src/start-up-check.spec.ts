import { chmod, rm, writeFile } from 'node:fs/promises';
import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { hasCode, type KubeletError } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';
import { createCriClient } from './cri-client.module.js';
import { fail, rejection, undo } from './fixtures/client-under-test.js';
import { CriServer, healthyRuntime } from './fixtures/cri-server.js';

describe('start of the CRI client', () => {
  const startOf = async (server: CriServer): Promise<KubeletError> => {
    const deps = { clock: createSystemClock(), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
    const client = createCriClient(deps, { runtimeEndpoint: server.endpoint });
    undo.push(
      () => server.remove(),
      () => client.stop(),
    );
    return rejection(client.start());
  };

  it('says what to do when the socket is missing, dead, or no socket', async () => {
    const missing = await CriServer.make();
    const error = await startOf(missing);
    expect(error.code).toBe('unavailable');
    expect(error.message).toBe(
      `container runtime at ${missing.socketPath}: the socket does not exist; is the runtime running, and is the endpoint right?`,
    );
    await writeFile(missing.socketPath, '');
    expect((await startOf(missing)).message).toMatch(/nobody listens|no socket/);
    await rm(missing.socketPath);
  });

  it('says so when the user may not open the socket', async () => {
    if (process.getuid?.() === 0) return; // root may open any
    const server = await (await CriServer.make()).listen();
    await chmod(server.socketPath, 0);
    expect((await startOf(server)).message).toContain('permission denied');
  });

  it('tells a runtime of the old API from one without CRI', async () => {
    const old = await (await CriServer.make({ ...healthyRuntime }, 'v1alpha2')).listen();
    expect((await startOf(old)).message).toContain('answers CRI runtime.v1alpha2 only');
    const other = await (await CriServer.make({}, 'v0')).listen();
    expect((await startOf(other)).message).toContain('does not offer runtime.v1.RuntimeService');
  });

  it('refuses an unknown version, missing fields, and a missing image service', async () => {
    const strange = await (
      await CriServer.make({
        version: () => ({ version: '0.2.0', runtimeName: 'x', runtimeVersion: 'y', runtimeApiVersion: 'z' }),
      })
    ).listen();
    expect((await startOf(strange)).message).toContain('runtime api version is not supported');
    const partial = await (await CriServer.make({ version: () => ({ version: '0.1.0', runtimeName: 'x' }) })).listen();
    expect((await startOf(partial)).message).toContain('(missing runtime_version, runtime_api_version)');
    const noImages = await (
      await CriServer.make({ ...healthyRuntime, imageFsInfo: fail(status.UNKNOWN, 'boom') })
    ).listen();
    const error = await startOf(noImages);
    expect(error.message).toContain('does not answer ImageFsInfo: boom');
    expect(hasCode(error, 'unknown')).toBe(true);
  });
});
