import { mkdtemp, rm } from 'node:fs/promises';
import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { createSystemClock } from '@podwright/time';
import { SocketClient } from './index.js';

const bytes = (buffer: Buffer): Buffer => buffer;
const echo = { path: '/test.Echo/Echo', encode: bytes, decode: bytes };
const frame = (text: string): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
};

interface Peer {
  readonly client: SocketClient;
  readonly sessions: ServerHttp2Session[];
}

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A server that does with each call what the case says, byte by byte, and a client of it. */
async function peer(answer: (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void): Promise<Peer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'grpc-'));
  const socket = path.join(folder, 'sock');
  const sessions: ServerHttp2Session[] = [];
  const server: Http2Server = createServer();
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, headers);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const client = new SocketClient(socket, {
    clock: createSystemClock(),
    maxAnswerBytes: 1_000,
    connectTimeoutMs: 5_000,
  });
  undo.push(async () => {
    client.close();
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  return { client, sessions };
}

/** Answers with these pieces and then these trailers. */
const answers =
  (pieces: readonly Buffer[], trailers: Record<string, string>) =>
  (stream: ServerHttp2Stream): void => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    for (const piece of pieces) stream.write(piece);
    stream.end();
  };
const ok = { 'grpc-status': '0' };

const failure = async (promise: Promise<unknown>): Promise<readonly [string, string]> => {
  const error: unknown = await promise.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KubeletError)) throw new Error(`no KubeletError: ${String(error)}`);
  return [error.code, error.message];
};
const all = async (messages: AsyncIterable<Buffer>): Promise<readonly string[]> => {
  const texts: string[] = [];
  for await (const message of messages) texts.push(message.toString());
  return texts;
};

describe('SocketClient', () => {
  it('puts messages together, however they are cut into pieces', async () => {
    const whole = Buffer.concat([frame('one'), frame(''), frame('three')]);
    const single = [...whole].map((byte) => Buffer.of(byte));
    for (const pieces of [[whole], single, [whole.subarray(0, 6), whole.subarray(6)]]) {
      const { client } = await peer(answers(pieces, ok));
      expect(await all(client.stream(echo, Buffer.of()))).toEqual(['one', '', 'three']);
    }
  });

  it.each<[string, (stream: ServerHttp2Stream) => void, string, string]>([
    [
      'a status with escapes',
      answers([], { 'grpc-status': '5', 'grpc-message': 'no %C3%A4 at 100%' }),
      'not-found',
      'no ä at 100%',
    ],
    [
      'a status without an answer',
      (stream) => stream.respond({ ':status': 200, 'grpc-status': '12', 'grpc-message': 'what?' }, { endStream: true }),
      'unimplemented',
      'what?',
    ],
    [
      'an answer that is no gRPC',
      (stream) => stream.respond({ ':status': 503 }, { endStream: true }),
      'unavailable',
      'unexpected HTTP status code received from server: 503 (Service Unavailable)',
    ],
    ['an answer without a message', answers([], ok), 'internal', 'the server answered without a message'],
    ['an answer that is cut off', answers([frame('answer').subarray(0, 8)], ok), 'internal', 'unexpected EOF'],
    [
      'an answer that is too long',
      answers([frame('x'.repeat(1_001))], ok),
      'resource-exhausted',
      'grpc: received message larger than max (1001 vs. 1000)',
    ],
    [
      'a compressed answer',
      answers([Buffer.concat([Buffer.of(1), frame('answer').subarray(1)])], ok),
      'internal',
      'grpc: compressed flag set with identity or empty encoding',
    ],
    [
      'an answer without a status',
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.end(frame('answer'));
      },
      'internal',
      'server closed the stream without sending trailers',
    ],
    [
      'a refused stream',
      (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
      'unavailable',
      'stream terminated by RST_STREAM with error code: 7',
    ],
    [
      'a stream that the server cancels',
      (stream) => stream.close(constants.NGHTTP2_CANCEL),
      'cancelled',
      'stream terminated by RST_STREAM with error code: 8',
    ],
    [
      'a connection that breaks',
      (stream) => stream.session?.destroy(),
      'unavailable',
      'error reading from server: EOF',
    ],
  ])('fails the call for %s', async (_what, answer, code, message) => {
    const { client } = await peer(answer);
    expect(await failure(client.unary(echo, Buffer.from('ask')))).toEqual([code, message]);
    if (message !== 'the server answered without a message')
      expect(await failure(all(client.stream(echo, Buffer.from('ask'))))).toEqual([code, message]);
  });

  it('uses one connection for calls at the same time, and another one after it was lost or is going away', async () => {
    const { client, sessions } = await peer(answers([frame('answer')], ok));
    const ask = async (): Promise<string> => (await client.unary(echo, Buffer.from('ask'))).toString();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['answer', 'answer', 'answer']);
    expect(sessions).toHaveLength(1);
    sessions[0]?.goaway();
    await client.unary(echo, Buffer.of()).catch(() => undefined); // may still be on its way when the word comes
    expect(await ask()).toBe('answer');
    sessions.at(-1)?.destroy();
    await client.unary(echo, Buffer.of()).catch(() => undefined); // as above
    expect(await ask()).toBe('answer');
    expect(sessions).toHaveLength(3);
  });

  it('sends the timeout as a number of at most eight digits', async () => {
    const sent: unknown[] = [];
    const { client } = await peer((stream, headers) => {
      sent.push(headers['grpc-timeout']);
      answers([frame('')], ok)(stream);
    });
    for (const timeoutMs of [1_500, 0, 3e8, 1e12]) await client.unary(echo, Buffer.of(), { timeoutMs });
    expect([sent[1], ...sent.slice(2)]).toEqual([undefined, '300000S', '99999999S']);
    expect(sent[0]).toMatch(/^\d{1,4}m$/);
  });

  it('makes a call again that the server has not begun, but once only', async () => {
    let refused = 0;
    const { client } = await peer((stream) => {
      if (refused++ === 0) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else answers([frame('answer')], ok)(stream);
    });
    expect((await client.unary(echo, Buffer.of())).toString()).toBe('answer');
  });

  it('calls an answer that it cannot read an error of the server', async () => {
    const { client } = await peer(answers([frame('answer')], ok));
    const unreadable = {
      ...echo,
      decode: (): Buffer => {
        throw new RangeError('index out of range');
      },
    };
    const expected = ['internal', 'grpc: failed to unmarshal the received message: index out of range'];
    expect(await failure(client.unary(unreadable, Buffer.of()))).toEqual(expected);
    expect(await failure(all(client.stream(unreadable, Buffer.of())))).toEqual(expected);
  });

  it('ends a call that still connects when it is closed, and throws nothing afterwards', async () => {
    const { client } = await peer(answers([frame('answer')], ok));
    const call = failure(client.unary(echo, Buffer.of()));
    client.close();
    expect((await call)[0]).toBe('cancelled');
    // What Node reports of the connection later would end the process.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('says why nobody accepts', async () => {
    const { client } = await peer(answers([], ok));
    const away = new SocketClient(`${client.socketPath}-none`, {
      ...{ clock: createSystemClock(), maxAnswerBytes: 1, connectTimeoutMs: 5_000 },
    });
    const [code, message] = await failure(away.unary(echo, Buffer.of()));
    expect(code).toBe('unavailable');
    expect(message).toBe(
      'connection error: desc = "transport: Error while dialing: ' +
        `dial unix ${away.socketPath}: connect: no such file or directory"`,
    );
  });
});
