import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { eventually } from '@podwright/time';
import { refuse, switching, type Serve } from '../fixtures/fake-runtime.js';
import { serveSpdy, type SpdySession } from '../fixtures/spdy-runtime.js';
import { execSession, TestBed, textOf } from '../fixtures/test-bed.js';
import { clientFrame, webSocketHeaders, WebSocketReader } from '../fixtures/web-socket-client.js';

const finish = async (client: Socket, served: Promise<void>): Promise<void> => {
  client.end();
  await served;
};
const exampleKey = 'dGhlIHNhbXBsZSBub25jZQ==';
const success = '{"metadata":{},"status":"Success"}';
const message = (channel: number, text: string): Buffer =>
  clientFrame(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));

describe('a WebSocket of v5.channel.k8s.io', () => {
  let bed: TestBed;
  let session: SpdySession | undefined;
  beforeEach(async () => {
    bed = await TestBed.open();
    session = undefined;
  });
  afterEach(async () => {
    await bed.close();
  });
  const start = async (
    serve: Serve,
    asked: { readonly head?: Uint8Array; readonly tty?: boolean } = {},
  ): Promise<{ readonly client: Socket; readonly reader: WebSocketReader; readonly served: Promise<void> }> => {
    bed.runtime.serve = serve;
    const rawHeaders = webSocketHeaders('v4.channel.k8s.io, v5.channel.k8s.io');
    const { head = Buffer.alloc(0), tty = false } = asked;
    const began = await bed.session({ method: 'GET', rawHeaders, head }, {
      ...execSession,
      tty,
      stderr: !tty,
    } as never);
    return { ...began, reader: new WebSocketReader(began.client) };
  };
  const ready = (opened: SpdySession): void => {
    session = opened;
  };

  it('announces itself, carries both outputs and tells a success', async () => {
    const { client, reader, served } = await start(
      serveSpdy(4, (opened) => {
        opened.write('stdout', 'out');
        opened.write('stderr', 'err');
        opened.exit(success);
      }),
    );
    await eventually(() => reader.closed);
    await finish(client, served);
    expect(reader.head).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(reader.head).toContain('Sec-WebSocket-Protocol: v5.channel.k8s.io');
    expect([...(reader.frames[0]?.payload ?? [])]).toEqual([1]);
    expect([1, 2, 3].map((channel) => reader.channel(channel))).toEqual(['out', 'err', success]);
    expect(bed.runtime.heads[0]).toMatch(/^POST \/exec\/token-1 HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
    expect(await bed.metrics.render()).toContain('kubelet_websocket_streaming_requests_total{subresource="exec"} 1');
  });

  it('carries the input, first what came with the request, and its end', async () => {
    const { client, reader, served } = await start(serveSpdy(4, ready), { head: message(0, 'early ') });
    client.write(message(0, 'late'));
    client.write(clientFrame(Buffer.from([255, 0])));
    client.write(message(0, 'too late'));
    await eventually(() => session?.finished.includes('stdin') === true);
    expect(session?.said).toEqual({ stdin: 'early late' });
    expect(session?.streams).toEqual(['error', 'stdin', 'stdout', 'stderr']);
    session?.exit(success);
    await eventually(() => reader.closed);
    await finish(client, served);
  });

  it('carries sizes of a terminal, in any split', async () => {
    const { client, reader, served } = await start(serveSpdy(4, ready), { tty: true });
    client.write(message(4, '{"Width":80,"Hei'));
    client.write(message(4, 'ght":24}{"width":100,"height":40}'));
    await eventually(() => (session?.said['resize'] ?? '').includes('40'));
    expect(session?.said['resize']).toBe('{"Width":80,"Height":24}\n{"Width":100,"Height":40}\n');
    expect(session?.streams).toEqual(['error', 'stdin', 'stdout', 'resize']);
    session?.exit(success);
    await eventually(() => reader.closed);
    await finish(client, served);
  });

  it('tells the exit code of the command', async () => {
    const status = {
      ...{ metadata: {}, status: 'Failure', reason: 'NonZeroExitCode' },
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    };
    const { client, reader, served } = await start(serveSpdy(4, (opened) => opened.exit(JSON.stringify(status))));
    await eventually(() => reader.closed);
    await finish(client, served);
    expect(JSON.parse(reader.channel(3))).toEqual({
      ...status,
      message: 'command terminated with non-zero exit code: command terminated with exit code 3',
    });
  });

  it.each<[string, Serve, string | RegExp]>([
    ['refuses', refuse, 'Internal error occurred: unable to upgrade connection: no'],
    [
      'redirects',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: http://x/\r\n\r\n'),
      /^Internal error occurred: error sending request: Post "http:.*\/exec\/token-1": redirect not allowed$/,
    ],
    [
      'goes away in the middle',
      serveSpdy(4, ready),
      'Internal error occurred: error reading from error stream: unexpected EOF',
    ],
    [
      'breaks the protocol',
      (socket) => {
        socket.write(Buffer.concat([Buffer.from(switching), Buffer.from('8003000200ffffff', 'hex')]));
        socket.resume().once('end', () => socket.end());
      },
      /the runtime broke the protocol/,
    ],
  ])('tells of a runtime that %s', async (_, serve, expected) => {
    const { client, reader, served } = await start(serve);
    await eventually(() => reader.closed || session !== undefined);
    if (session !== undefined) bed.runtime.sockets.forEach((socket) => socket.destroy());
    await eventually(() => reader.closed);
    await finish(client, served);
    const status = JSON.parse(reader.channel(3)) as { message: string; code: number };
    expect(status.code).toBe(500);
    expect(status.message).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  it('ends the session when its client goes or breaks the protocol', async () => {
    for (const [last, code] of [
      [clientFrame(Buffer.from([3, 232]), 8), 1_000],
      // As upstream, takes the close of a channel that does not exist for no fault of the protocol.
      [clientFrame(Buffer.from([255, 9])), 1_000],
      [Buffer.from([2, 1, 1]), 1_002],
    ] as const) {
      session = undefined;
      const { client, reader, served } = await start(serveSpdy(4, ready));
      await eventually(() => session !== undefined);
      client.write(last);
      await eventually(() => bed.runtime.sockets.size === 0 && reader.closed);
      expect(reader.frames.find(({ opcode }) => opcode === 8)?.payload.readUInt16BE(0)).toBe(code);
      await finish(client, served);
    }
  });

  it('answers pings, and pings a runtime that is silent', async () => {
    const { client, reader, served } = await start(serveSpdy(4, ready));
    await eventually(() => session !== undefined);
    client.write(clientFrame(Buffer.from('hi'), 9));
    await eventually(() => reader.frames.some(({ opcode, payload }) => opcode === 10 && payload.toString() === 'hi'));
    await bed.clock.advance(11_000);
    await eventually(() => session?.pings.length === 1);
    expect(session?.pings).toEqual([1]);
    session?.exit(success);
    await eventually(() => reader.closed);
    await finish(client, served);
  });

  it.each([
    ['POST', {}, 'HTTP/1.1 405 Method Not Allowed\r\n\r\nbad method'],
    ['GET', { [exampleKey]: '' }, 'HTTP/1.1 400 Bad Request\r\n\r\nmismatch challenge/response'],
    [
      'GET',
      { '13': '8' },
      'HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version',
    ],
  ])('refuses a handshake that is none: %s %j', async (method, changed, answer) => {
    const { client, served } = await bed.session({ method, rawHeaders: headersWith('v5.channel.k8s.io', changed) });
    expect(await textOf(client)).toBe(answer);
    await finish(client, served);
  });

  it('takes any key, as upstream does', async () => {
    const rawHeaders = headersWith('v5.channel.k8s.io', { [exampleKey]: 'short' });
    const { client, served } = await bed.session({ method: 'GET', rawHeaders });
    const reader = new WebSocketReader(client);
    await eventually(() => reader.head.includes('\r\nSec-WebSocket-Accept: JQHdhQRrQ3pd0VAHx7vMGlEiL+4='));
    await finish(client, served);
  });
});

function headersWith(protocol: string, changed: Readonly<Partial<Record<string, string>>>): readonly string[] {
  return webSocketHeaders(protocol).map((value) => changed[value] ?? value);
}

describe('a WebSocket of SPDY/3.1+portforward.k8s.io', () => {
  it.each([
    ['POST', {}, '405 Method Not Allowed', 'Method Not Allowed\n'],
    ['GET', { [exampleKey]: 'short' }, '400 Bad Request', 'Bad Request\n'],
    ['GET', { '13': '8' }, '400 Bad Request', 'Bad Request\n'],
  ])('refuses a handshake that is none: %s %j', async (method, changed, status, body) => {
    const bed = await TestBed.open();
    const rawHeaders = headersWith('SPDY/3.1+portforward.k8s.io', changed);
    const target = { podUid: 'uid-1', podName: 'web', podNamespace: 'default', ports: [] };
    const { client, served } = await bed.session({ method, rawHeaders }, { ...target, kind: 'portforward' });
    const [head, text] = (await textOf(client)).split('\r\n\r\n');
    expect(head?.split('\r\n')).toEqual([
      `HTTP/1.1 ${status}`,
      'Sec-Websocket-Version: 13',
      'Content-Type: text/plain; charset=utf-8',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]);
    expect(text).toBe(body);
    await finish(client, served);
    await bed.close();
  });

  it('carries the bytes of SPDY both ways', async () => {
    const bed = await TestBed.open();
    bed.runtime.serve = (socket, _head, rest) => {
      socket.write(`${switching.replace('v4.channel', 'portforward')}hello `);
      socket.write(rest);
      socket.pipe(socket);
    };
    const rawHeaders = webSocketHeaders('SPDY/3.1+portforward.k8s.io');
    const target = { podUid: 'uid-1', podName: 'web', podNamespace: 'default', ports: [] };
    const asked = { method: 'GET', rawHeaders, head: clientFrame(Buffer.from('one ')) };
    const { client, served } = await bed.session(asked, { ...target, kind: 'portforward' });
    const reader = new WebSocketReader(client);
    client.write(clientFrame(Buffer.from('two ')));
    const text = (): string => Buffer.concat(reader.frames.map(({ payload }) => payload)).toString();
    await eventually(() => text().endsWith('two '));
    expect(text()).toBe('hello one two ');
    expect(reader.head).toContain('Sec-WebSocket-Protocol: SPDY/3.1+portforward.k8s.io');
    const [head = ''] = bed.runtime.heads;
    expect(head).toMatch(/^POST \/portforward\/token-1 /);
    expect(head).toContain('\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: portforward.k8s.io\r\n');
    expect(head).not.toMatch(/websocket/i);
    client.write(clientFrame(Buffer.from([3, 232]), 8));
    await eventually(() => reader.closed);
    client.end();
    await served;
    await bed.close();
  });
});
