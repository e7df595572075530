import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMetricsRegistry } from '@podwright/metrics';
import type { ProbeOutcome } from '@podwright/probe-interface';
import { createSystemClock } from '@podwright/time';
import { listenOnLoopback, loopbackTarget, type LoopbackServer } from '../fixtures/loopback.js';
import { createProbers } from './network-probers.js';

const clock = createSystemClock();
const { grpc } = createProbers({
  runtime: { execSync: () => Promise.reject(new Error('not asked for')) },
  clock,
  metrics: createMetricsRegistry(),
});
const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function listen(server: Parameters<typeof listenOnLoopback>[0]): Promise<number> {
  const listening = await listenOnLoopback(server);
  servers.push(listening);
  return listening.port;
}
const ask = (port: number, service?: string, timeoutMs = 1000): Promise<ProbeOutcome> =>
  grpc.probe(
    { port, ...(service !== undefined && { service }) },
    loopbackTarget,
    timeoutMs,
    new AbortController().signal,
  );

type Answer = (stream: ServerHttp2Stream, request: Buffer, headers: Readonly<Record<string, unknown>>) => void;
const grpcServer = (answer: Answer): Promise<number> =>
  listen(
    createHttp2Server().on('stream', (stream, headers) => {
      const pieces: Buffer[] = [];
      stream.on('error', () => undefined);
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.once('end', () => answer(stream, Buffer.concat(pieces), headers));
    }),
  );
const message =
  (bytes: readonly number[], trailers: Record<string, string> = { 'grpc-status': '0' }): Answer =>
  (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(trailers));
    stream.end(Buffer.from(bytes));
  };
const trailersOnly =
  (headers: Record<string, string | number>): Answer =>
  (stream) =>
    stream.respond(headers, { endStream: true });
const framed = (...bytes: number[]): readonly number[] => [0, 0, 0, 0, bytes.length, ...bytes];

describe('grpc', () => {
  it('asks grpc.health.v1.Health/Check for the service', async () => {
    let seen: unknown;
    const port = await grpcServer((stream, request, headers) => {
      seen = { request: [...request], headers };
      message(framed(8, 1))(stream, request, headers);
    });
    expect(await ask(port, 'shop')).toEqual({ result: 'success', output: 'service healthy' });
    expect(seen).toMatchObject({
      request: [0, 0, 0, 0, 6, 0x0a, 4, ...Buffer.from('shop')],
      headers: {
        ':method': 'POST',
        ':scheme': 'http',
        ':path': '/grpc.health.v1.Health/Check',
        ':authority': `127.0.0.1:${port}`,
        'content-type': 'application/grpc',
        'user-agent': 'kube-probe/1.36',
        te: 'trailers',
        'grpc-timeout': '1000m',
      },
    });
  });

  it('asks for the server as a whole with an empty message', async () => {
    let length = -1;
    const port = await grpcServer((stream, request, headers) => {
      length = request.length;
      message(framed(8, 1))(stream, request, headers);
    });
    await ask(port);
    expect(length).toBe(5);
  });

  const rpc = (code: string, text: string): string =>
    `error: health rpc probe failed: rpc error: code = ${code} desc = ${text}`;
  it.each<[string, Answer, string]>([
    ['NOT_SERVING', message(framed(8, 2)), 'service unhealthy (responded with "NOT_SERVING")'],
    ['nothing in its message', message(framed()), 'service unhealthy (responded with "UNKNOWN")'],
    ['a status that nobody knows', message(framed(8, 9)), 'service unhealthy (responded with "9")'],
    [
      'fields that nobody knows',
      message(framed(0x12, 1, 0x41, 8, 3)),
      'service unhealthy (responded with "SERVICE_UNKNOWN")',
    ],
    ['half a message', message([0, 0, 0, 0, 9, 8]), rpc('Internal', 'unexpected EOF')],
    ['a message that is none', message(framed(0x0f)), rpc('Internal', 'proto: cannot parse invalid wire-format data')],
    [
      'that it has no such method',
      trailersOnly({
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': 12,
        'grpc-message': 'no%20such',
      }),
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): no such',
    ],
    [
      'a status in trailers',
      message(framed(), { 'grpc-status': '14', 'grpc-message': 'busy' }),
      rpc('Unavailable', 'busy'),
    ],
    [
      'that its time is over',
      message(framed(), { 'grpc-status': '4' }),
      'timeout: health rpc did not complete within 1s',
    ],
    [
      'no gRPC',
      trailersOnly({ ':status': 404, 'content-type': 'text/html' }),
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ' +
        'unexpected HTTP status code received from server: 404; transport: received unexpected content-type "text/html"',
    ],
    ['no status', message(framed(8, 1), {}), rpc('Internal', 'server closed the stream without sending trailers')],
    [
      'far too much',
      message(Array.from({ length: 5000 }, () => 0)),
      expect.stringContaining('ResourceExhausted') as never,
    ],
  ])('fails when the server says %s', async (_name, answer, output) => {
    expect(await ask(await grpcServer(answer))).toEqual({ result: 'failure', output });
  });

  it('fails when the server does not answer in time', async () => {
    const port = await grpcServer(() => undefined);
    expect(await ask(port, '', 150)).toEqual({
      result: 'failure',
      output: 'timeout: health rpc did not complete within 150ms',
    });
  });

  it('fails when the connection breaks in the middle', async () => {
    const port = await grpcServer((stream) => stream.session?.destroy());
    expect(await ask(port)).toMatchObject({ result: 'failure', output: expect.stringContaining('code = Unavailable') });
  });

  it.each([
    ['nobody listens', undefined],
    ['nobody there speaks HTTP/2', createServer()],
  ])('waits until the time is over when %s', async (_name, server) => {
    const port = await listen(server ?? createServer());
    if (server === undefined) await servers.pop()?.close();
    const begunAt = clock.monotonic();
    expect(await ask(port, '', 150)).toEqual({
      result: 'failure',
      output: `timeout: failed to connect service "127.0.0.1:${port}" within 150ms: context deadline exceeded`,
    });
    expect(clock.monotonic() - begunAt).toBeGreaterThan(140);
  });
});
