import { constants, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
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
const encoded =
  (encoding: string, bytes: readonly number[]): Answer =>
  (stream) => {
    const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-encoding': encoding };
    stream.respond(headers, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from(bytes));
  };
const packed = gzipSync(Buffer.from([8, 2]));
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
        'user-agent': 'kube-probe/1.36 grpc-go/1.79.3',
        te: 'trailers',
        'grpc-accept-encoding': 'gzip',
        'grpc-timeout': '1000000u',
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
  const unreadable = 'grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data';
  const violation = 'cardinality violation:';
  const noMessage = `${violation} received no response message from non-server-streaming RPC`;
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
    ['a message that is none', message(framed(0x0f)), rpc('Internal', unreadable)],
    ['a number that is cut off', message(framed(0xff)), rpc('Internal', unreadable)],
    ['a message whose status is no number', message(framed(0x0a, 9)), rpc('Internal', unreadable)],
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
        'unexpected HTTP status code received from server: 404 (Not Found); transport: received unexpected content-type "text/html"',
    ],
    [
      'no gRPC and no type',
      trailersOnly({ ':status': 413, 'grpc-status': '0' }),
      rpc(
        'Unknown',
        'unexpected HTTP status code received from server: 413 (Request Entity Too Large); ' +
          'malformed header: missing HTTP content-type',
      ),
    ],
    [
      'a type that only begins as that of gRPC',
      trailersOnly({ ':status': 200, 'content-type': 'application/grpcx' }),
      rpc(
        'Unknown',
        'unexpected HTTP status code received from server: 200 (OK); ' +
          'transport: received unexpected content-type "application/grpcx"',
      ),
    ],
    [
      'with headers alone that all is well',
      trailersOnly({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '0' }),
      rpc('Internal', noMessage),
    ],
    [
      'with headers alone nothing',
      trailersOnly({ ':status': 503, 'content-type': 'application/grpc' }),
      rpc('Unknown', ''),
    ],
    ['no message', message([]), rpc('Internal', noMessage)],
    ['half a head', message([0, 0, 0]), rpc('Internal', noMessage)],
    [
      'two messages',
      message([...framed(8, 1), ...framed(8, 1)]),
      rpc('Internal', `${violation} expected <EOF> for non server-streaming RPCs, but received another message`),
    ],
    ['a message and a half', message([...framed(8, 1), 0, 0, 0, 0, 9]), rpc('Internal', 'unexpected EOF')],
    [
      'a status that is no number',
      message(framed(8, 1), { 'grpc-status': 'x' }),
      rpc('Unknown', 'transport: malformed grpc-status: strconv.ParseInt: parsing "x": invalid syntax'),
    ],
    [
      'a status that is too large',
      message(framed(8, 1), { 'grpc-status': '2147483648' }),
      rpc('Unknown', 'transport: malformed grpc-status: strconv.ParseInt: parsing "2147483648": value out of range'),
    ],
    ['a negative status', message(framed(8, 1), { 'grpc-status': '-1' }), rpc('Code(4294967295)', '')],
    [
      'a message that is partly escaped',
      message(framed(8, 1), { 'grpc-status': '13', 'grpc-message': 'a%20b%zz%C3%A9\u00e9' }),
      rpc('Internal', 'a b%zz\u00e9\ufffd'),
    ],
    [
      'something compressed in no way',
      message([1, 0, 0, 0, 2, 8, 1]),
      rpc('Internal', 'grpc: compressed flag set with identity or empty encoding'),
    ],
    [
      'something compressed in an unknown way',
      encoded('br', [1, 0, 0, 0, 2, 8, 1]),
      rpc('Internal', 'grpc: Decompressor is not installed for grpc-encoding "br"'),
    ],
    [
      'something compressed badly',
      encoded('gzip', [1, 0, 0, 0, 2, 8, 1]),
      rpc('Internal', 'grpc: failed to decompress the message: unexpected EOF'),
    ],
    [
      'NOT_SERVING, compressed',
      encoded('gzip', [1, 0, 0, 0, packed.length, ...packed]),
      'service unhealthy (responded with "NOT_SERVING")',
    ],
    [
      'something in a format that nobody knows',
      message([7, 0, 0, 0, 2, 8, 1]),
      rpc('Internal', 'grpc: received unexpected payload format 7'),
    ],
    [
      'that gigabytes follow',
      message([0, 255, 255, 255, 255, 8, 1]),
      rpc('ResourceExhausted', 'grpc: received message larger than max (4294967295 vs. 4194304)'),
    ],
    [
      'that it refuses the stream',
      (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
      rpc('Unavailable', 'stream terminated by RST_STREAM with error code: REFUSED_STREAM'),
    ],
    [
      'that it cancels the stream',
      (stream) => stream.close(constants.NGHTTP2_CANCEL),
      rpc('Canceled', 'stream terminated by RST_STREAM with error code: CANCEL'),
    ],
    [
      'goodbye',
      (stream) => stream.session?.destroy(),
      rpc(
        'Unavailable',
        'closing transport due to: connection error: desc = "error reading from server: EOF", ' +
          'received prior goaway: code: NO_ERROR',
      ),
    ],
    [
      'goodbye and why',
      (stream) => {
        stream.session?.goaway(constants.NGHTTP2_INTERNAL_ERROR, 0, Buffer.from('bye'));
        stream.session?.destroy();
      },
      rpc(
        'Unavailable',
        'closing transport due to: connection error: desc = "error reading from server: EOF", ' +
          'received prior goaway: code: INTERNAL_ERROR, debug data: "bye"',
      ),
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

  it('fails when the connection ends without a word', async () => {
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    const server = createServer((socket) => {
      socket.write(settings);
      socket.once('data', () => socket.end());
    });
    const output = rpc('Unavailable', 'error reading from server: EOF');
    expect(await ask(await listen(server))).toEqual({ result: 'failure', output });
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
