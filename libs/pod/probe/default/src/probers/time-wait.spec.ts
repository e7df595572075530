import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMetricsRegistry } from '@podwright/metrics';
import type { ProbeOutcome } from '@podwright/probe-interface';
import { createSystemClock, eventually } from '@podwright/time';
import { listenOnLoopback, loopbackTarget, type LoopbackServer } from '../fixtures/loopback.js';
import { selfSigned } from '../fixtures/self-signed.js';
import { socketsAt } from '../fixtures/socket-states.js';
import { createProbers } from './network-probers.js';

const clock = createSystemClock();
const probers = createProbers({
  runtime: { execSync: () => Promise.reject(new Error('not asked for')) },
  clock,
  metrics: createMetricsRegistry(),
});
const never = (): AbortSignal => new AbortController().signal;

const serving = createHttp2Server().on('stream', (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
});

/** Sockets in TIME_WAIT on the node's side are what fifty probes a second would pile up by the thousand. */
describe('sockets after probes', () => {
  let server: LoopbackServer;
  afterEach(() => server.close());

  it.each([
    [
      'httpGet',
      createHttpServer((_request, response) => response.end('ok')),
      (port: number) => probers.httpGet.probe({ port }, loopbackTarget, 1000, never()),
    ],
    [
      'httpGet with TLS',
      createHttpsServer(selfSigned, (_request, response) => response.end('ok')),
      (port: number) => probers.httpGet.probe({ port, scheme: 'HTTPS' }, loopbackTarget, 1000, never()),
    ],
    [
      'httpGet of a server that keeps the connection open',
      createServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))),
      (port: number) => probers.httpGet.probe({ port }, loopbackTarget, 1000, never()),
    ],
    ['tcpSocket', createServer(), (port: number) => probers.tcpSocket.probe({ port }, loopbackTarget, 1000, never())],
    ['grpc', serving, (port: number) => probers.grpc.probe({ port }, loopbackTarget, 1000, never())],
  ] satisfies [string, Parameters<typeof listenOnLoopback>[0], (port: number) => Promise<ProbeOutcome>][])(
    '%s leaves none behind',
    async (name, listener, probe) => {
      server = await listenOnLoopback(listener);
      // Somebody else's client may have had this port a moment ago.
      const foreign = await socketsAt(server.port);
      const left = async (): Promise<readonly string[]> =>
        [...(await socketsAt(server.port))].flatMap(([ends, state]) => (foreign.has(ends) ? [] : [state]));
      for (let round = 0; round < 10; round += 1) {
        const outcomes = await Promise.all(Array.from({ length: 5 }, () => probe(server.port)));
        expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(['success']));
      }
      await eventually(async () => (await left()).length === 0);
      // A server that closes when it is asked to never sees the reset.
      if (name === 'httpGet' || name === 'httpGet with TLS') expect(server.complaints).toEqual([]);
    },
  );
});
