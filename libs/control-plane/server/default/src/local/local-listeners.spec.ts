import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { text } from '@podwright/http-answer';
import { get } from '@podwright/server-interface/contract';
import type { Route } from '@podwright/server-interface';
import { getFromSocket } from '../fixtures/get-from-socket.js';
import { createHttpHarness, type HttpHarness } from '../fixtures/http-harness.js';
import { TestAuthority } from '../fixtures/test-certificates.js';
import { serverConfig, type ServerConfig } from '../server-config.js';

let folder: string;
let socket: string;
let caFile: string;
const started: HttpHarness[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'local-api-'));
  socket = path.join(folder, 'local.sock');
  caFile = path.join(folder, 'clients.pem');
});
afterEach(async () => {
  for (const { server } of started.splice(0)) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const local: Route = { path: '/api/', methods: 'any', handle: ({ user }) => text(200, `user ${user?.name ?? 'none'}`) };

async function start(config: Partial<ServerConfig>): Promise<HttpHarness> {
  const harness = await createHttpHarness({ healthzPort: 0, readOnlyPort: 0, ...config }, { localRoutes: [local] });
  started.push(harness);
  await harness.server.start();
  return harness;
}

describe('the listeners of the local API', () => {
  it('are off unless they are asked for', async () => {
    const { server } = await start({});
    expect(server.addresses()).toEqual({ https: expect.any(String) });
  });

  it('serve its routes beside the others on the socket, to everybody who reaches it, and nowhere else', async () => {
    const { server, ca, tokens } = await start({ localSocket: socket });
    expect(server.addresses().localSocket).toBe(socket);
    expect(await getFromSocket(socket, '/api/v1/pods')).toEqual({ status: 200, body: 'user none' });
    expect(await getFromSocket(socket, '/pods')).toMatchObject({ status: 200 });
    expect(await getFromSocket(socket, '/healthz')).toEqual({ status: 200, body: 'ok' });
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const answer = await get(server.addresses().https ?? '', '/api/v1/pods', 'GET', { headers, tls: { ca } });
    expect(answer.status).toBe(404);
    await server.stop();
    await expect(getFromSocket(socket, '/healthz')).rejects.toThrow('ENOENT');
  });

  it('keep each connection of the socket apart', async () => {
    await start({ localSocket: socket, maxConnections: 50 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => getFromSocket(socket, '/api/v1/pods')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('do not start when another process serves the socket, which the error names with what to do', async () => {
    await start({ localSocket: socket });
    await expect(start({ localSocket: socket })).rejects.toThrow(
      `cannot listen for the local API on ${socket}: another process serves it: stop that process; or change localSocket (--socket)`,
    );
    expect(await getFromSocket(socket, '/healthz')).toEqual({ status: 200, body: 'ok' });
  });

  it('let the kubelet start without a socket that is optional, and warn what to do', async () => {
    await start({ localSocket: socket });
    for (const localSocket of [socket, path.join(folder, 'x'.repeat(110))]) {
      const { server, logger } = await start({ localSocket, localSocketOptional: true });
      expect(server.addresses()).toEqual({ https: expect.any(String) });
      expect(logger.entries.filter(({ severity }) => severity === 'warning')).toEqual([
        expect.objectContaining({
          fields: {
            error: expect.objectContaining({ message: expect.stringContaining('change localSocket (--socket)') }),
          },
        }),
      ]);
    }
    expect(await getFromSocket(socket, '/healthz')).toEqual({ status: 200, body: 'ok' });
  });

  it('only read when they are told to: they refuse other methods, and sessions in containers', async () => {
    await start({ localSocket: socket, localReadOnly: true });
    expect(await getFromSocket(socket, '/api/v1/pods')).toEqual({ status: 200, body: 'user none' });
    const session = { headers: { connection: 'upgrade', upgrade: 'websocket' } };
    for (const options of [{ method: 'POST' }, { method: 'DELETE' }, session])
      expect(await getFromSocket(socket, '/api/v1/pods', options)).toMatchObject({
        status: 403,
        body: expect.stringContaining('localReadOnly'),
      });
  });

  it('admit on the port only clients whose certificate the authority has signed', async () => {
    const [clients, others] = [await TestAuthority.create('clients'), await TestAuthority.create('others')];
    await writeFile(caFile, clients.certificate);
    const { server, ca } = await start({ localAddress: '127.0.0.1:0', localClientCaFile: caFile });
    const address = server.addresses().local ?? '';
    const ask = async (authority?: TestAuthority) => {
      const pair = await authority?.issue('someone');
      const own = pair && { cert: pair.certificate, key: pair.privateKey };
      return get(address, '/api/v1/pods', 'GET', { tls: { ca, ...own } });
    };
    expect(await ask(clients)).toMatchObject({ status: 200, body: 'user none' });
    await expect(ask(others)).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
  });

  it('let clients wait while the serving certificate is being made', async () => {
    const clients = await TestAuthority.create('clients');
    await writeFile(caFile, clients.certificate);
    const config = { healthzPort: 0, readOnlyPort: 0, localAddress: '127.0.0.1:0', localClientCaFile: caFile };
    const harness = await createHttpHarness(config, { localRoutes: [local] });
    started.push(harness);
    const { server, certificate, authority, ca } = harness;
    certificate.make();
    await server.start();
    const { certificate: cert, privateKey: key } = await clients.issue('someone');
    const early = get(server.addresses().local ?? '', '/api/v1/pods', 'GET', { tls: { ca, cert, key } });
    certificate.set(await authority.issue('made'));
    expect(await early).toMatchObject({ status: 200, body: 'user none' });
  });

  it('use a new serving certificate, and still demand one of their clients', async () => {
    const clients = await TestAuthority.create('clients');
    await writeFile(caFile, clients.certificate);
    const { server, ca, certificate, authority } = await start({
      ...{ localAddress: '127.0.0.1:0', localClientCaFile: caFile },
    });
    certificate.set(await authority.issue('renewed'));
    const { certificate: cert, privateKey: key } = await clients.issue('someone');
    const address = server.addresses().local ?? '';
    expect(await get(address, '/api/v1/pods', 'GET', { tls: { ca, cert, key } })).toMatchObject({ status: 200 });
    await expect(get(address, '/api/v1/pods', 'GET', { tls: { ca } })).rejects.toThrow();
  });

  it('say what is wrong with the file of authorities', async () => {
    const starting = (): Promise<unknown> => start({ localAddress: '127.0.0.1:0', localClientCaFile: caFile });
    const advice = "name a PEM file with the certificates of the authorities that sign the clients' certificates";
    const where = `cannot listen for the local API on 127.0.0.1:0: localClientCaFile ${caFile}`;
    await expect(starting()).rejects.toThrow(
      `${where}: ENOENT: no such file or directory, open '${caFile}'; ${advice}`,
    );
    await writeFile(caFile, 'nonsense');
    await expect(starting()).rejects.toThrow(`${where}: holds no PEM certificate; ${advice}`);
  });

  it.each([
    [{ localAddress: '127.0.0.1:1' }, 'localClientCaFile', 'must name the authorities of the clients of localAddress'],
    [{ localAddress: 'localhost', localClientCaFile: '/x' }, 'localAddress', 'must be an IP address and a port'],
    [{ localAddress: '127.0.0.1:70000', localClientCaFile: '/x' }, 'localAddress', 'must be an IP address and a port'],
    [{ localSocket: 'podwright.sock' }, 'localSocket', 'must be an absolute path'],
  ])('are refused as %j', (options, field, problem) => {
    const decoded = serverConfig.decode(options);
    expect(decoded).toMatchObject({ ok: false, faults: [{ field, problem: expect.stringContaining(problem) }] });
  });

  it('take addresses of both families', () => {
    for (const localAddress of ['0.0.0.0:10251', '[::1]:10251'])
      expect(serverConfig.decode({ localAddress, localClientCaFile: '/x' })).toMatchObject({ ok: true });
  });
});
