import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { eventually } from '@podwright/time';
import { echo, switching } from '../fixtures/fake-runtime.js';
import { pingFrame } from '../spdy/frames.js';
import { TestBed, textOf } from '../fixtures/test-bed.js';
import { ProxyError } from './proxy-error.js';

describe('a session through the transparent proxy', () => {
  let bed: TestBed;
  beforeEach(async () => {
    bed = await TestBed.open();
  });
  afterEach(async () => {
    await bed.close();
  });

  it('sends what came with the request first, and hands out what came behind the answer', async () => {
    bed.runtime.serve = (socket, _head, rest) => {
      socket.write(`${switching}hello `);
      socket.write(rest);
      socket.pipe(socket);
    };
    const { client, served } = await bed.session({ head: Buffer.from('one ') });
    client.end('two');
    expect(await textOf(client)).toBe(`${switching}hello one two`);
    await served;
    expect(bed.runtime.heads[0]).toContain('POST /exec/token-1 HTTP/1.1\r\nHost: node-1:10250\r\n');
  });

  it("lets the runtime go on after the client's last word", async () => {
    let heard = '';
    bed.runtime.serve = (socket) => {
      socket.write(switching);
      socket
        .on('data', (chunk: Buffer) => (heard += chunk.toString()))
        .once('end', () => {
          socket.write('after');
          setImmediate(() => socket.end(' all'));
        });
    };
    const { client, served } = await bed.session();
    client.end('last');
    expect(await textOf(client)).toBe(`${switching}after all`);
    await served;
    expect(heard).toBe('last');
  });

  it("lets the client go on after the runtime's last word", async () => {
    let heard = '';
    bed.runtime.serve = (socket) => {
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      socket.end(`${switching}bye`);
    };
    const { client, served } = await bed.session();
    expect(await textOf(client)).toBe(`${switching}bye`);
    client.write('still ');
    client.end('here');
    await served;
    await eventually(() => heard === 'still here');
  });

  it('hands all out that a runtime said before it broke off', async () => {
    const bytes = randomBytes(8 << 20);
    bed.runtime.serve = (socket) => {
      socket.write(switching);
      socket.write(bytes, () => socket.resetAndDestroy());
    };
    const { client, served } = await bed.session();
    client.pause();
    // The client reads late: what was read from the runtime waits in the kubelet or the kernel, and the reset is there first.
    await eventually(() => bed.runtime.heads.length === 1);
    const text = await textOf(client);
    client.end();
    await served;
    expect(text.startsWith(switching)).toBe(true);
  });

  it('loses nothing that a runtime said before it closed, although the slow client pings', async () => {
    const bytes = Buffer.alloc(6 << 20, 'x');
    let closed = false;
    bed.runtime.serve = (socket) => {
      socket.write(switching);
      socket.end(bytes, () => {
        // As a server that is done: it reads no more, and what comes from now on is answered with a reset.
        socket.destroy();
        closed = true;
      });
    };
    const { client, served } = await bed.session();
    client.pause();
    await eventually(() => closed);
    client.write(pingFrame(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await textOf(client)).toHaveLength(switching.length + bytes.length);
    client.end();
    await served;
  });

  it('answers pings while no output waits', async () => {
    bed.runtime.serve = echo;
    const { client, served } = await bed.session();
    client.write(pingFrame(1));
    let heard = '';
    client.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    await eventually(() => heard.endsWith(pingFrame(1).toString('latin1')));
    // The answer was output: the next ping waits until all is quiet.
    client.write(pingFrame(3));
    await bed.clock.advance(200);
    await eventually(async () => {
      await bed.clock.advance(100);
      return heard.endsWith(pingFrame(3).toString('latin1'));
    });
    client.end();
    await served;
  });

  it('carries 100 MB back and forth, unchanged and without holding them', async () => {
    const { client, served } = await bed.session();
    const [sent, received] = [createHash('sha256'), createHash('sha256')];
    const before = process.memoryUsage().rss;
    let peak = before;
    let bytes = -switching.length;
    client.on('data', (chunk: Buffer) => {
      received.update(bytes < 0 ? chunk.subarray(-bytes) : chunk);
      bytes += chunk.length;
      peak = Math.max(peak, process.memoryUsage().rss);
    });
    const block = randomBytes(1 << 20);
    for (let sentBlocks = 0; sentBlocks < 100; sentBlocks++) {
      block.writeUInt32LE(sentBlocks);
      const copy = Buffer.from(block);
      sent.update(copy);
      if (!client.write(copy)) await once(client, 'drain');
    }
    client.end();
    await once(client, 'end');
    await served;
    expect(bytes).toBe(100 << 20);
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    // The test's own blocks and the garbage of 3,200 reads are in it; a proxy that holds what it carries would add 100 MiB.
    expect((peak - before) / (1 << 20)).toBeLessThan(90);
  });

  it('slows a runtime down whose client does not read', async () => {
    let written = 0;
    bed.runtime.serve = (socket) => {
      socket.write(switching);
      const block = Buffer.alloc(64 << 10);
      const fill = (): void => {
        while (written < 500 << 20) {
          written += block.length;
          if (!socket.write(block)) return void socket.once('drain', fill);
        }
      };
      fill();
    };
    const { client, socket } = await bed.session();
    client.pause();
    let last = -1;
    for (let rounds = 0; last !== written && rounds < 1_000; rounds++) {
      last = written;
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(64 << 20);
    expect(socket.writableLength).toBeLessThan(1 << 20);
    client.destroy();
  });

  it('serves 50 at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 50 }, () => bed.session()));
    const texts = sessions.map(({ client }, index) => {
      client.end(`number ${index}`);
      return textOf(client);
    });
    expect(await Promise.all(texts)).toEqual(sessions.map((_, index) => `${switching}number ${index}`));
    await Promise.all(sessions.map(({ served }) => served));
  });

  it('ends a session through which nothing flows, not one that rests for less', async () => {
    const { client, served } = await bed.session();
    await once(client, 'data');
    await bed.clock.advance(3 * 3_600_000);
    client.write('x');
    await once(client, 'data');
    await bed.clock.advance(3 * 3_600_000);
    expect(client.destroyed).toBe(false);
    await bed.clock.advance(3_600_000);
    await served;
    await textOf(client);
  });

  it('gives a half-closed session a minute of rest, no more', async () => {
    bed.runtime.serve = (socket) => {
      socket.write(switching);
      socket.resume();
    };
    const { client, served } = await bed.session();
    client.end();
    await eventually(() => [...bed.runtime.sockets].some((socket) => socket.readableEnded));
    await bed.clock.advance(61_000);
    await served;
  });

  it('refuses a session beyond the limit', async () => {
    await bed.close();
    bed = await TestBed.open({ maxSessions: 1 });
    await bed.session();
    const { served } = await bed.session();
    await expect(served).rejects.toMatchObject({
      code: 'resource-exhausted',
      message: 'maximum number of in-flight requests exceeded',
    });
  });

  it.each([
    ['neither 101 nor a refusal', 'HTTP/1.1 200 OK\r\n\r\n', 'invalid upgrade response: status code 200'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n', 'invalid upgrade response: status code 302'],
    ['no HTTP', 'SSH-2.0-x\r\n\r\n', 'malformed HTTP response "SSH-2.0-x"'],
    ['no status', 'HTTP/1.1 abc\r\n\r\n', 'malformed HTTP status code "abc"'],
    ['nothing', '', 'unexpected EOF'],
    ['endless headers', `HTTP/1.1 101 x\r\nX: ${'y'.repeat(100_000)}`, 'header size limit exceeded'],
  ])('rejects an answer that is %s', async (_, answer, message) => {
    bed.runtime.serve = (socket) => {
      socket.end(answer);
      socket.resume();
    };
    const { client, served } = await bed.session();
    await expect(served).rejects.toMatchObject({ code: 'internal', message });
    expect(client.bytesRead).toBe(0);
  });

  it('rejects when nobody listens, and when nobody answers', async () => {
    bed.runtime.url = 'http://127.0.0.1:1/exec/t';
    const refused = await bed.session();
    await expect(refused.served).rejects.toBeInstanceOf(ProxyError);
    await expect(refused.served).rejects.toMatchObject({
      code: 'internal',
      message: 'error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused',
    });
    bed.runtime.url = undefined;
    bed.runtime.serve = (socket) => socket.resume();
    const silent = await bed.session();
    await eventually(() => bed.runtime.heads.length === 1);
    const advanced = bed.clock.advance(31_000);
    await expect(silent.served).rejects.toThrow(/^read tcp 127\.0\.0\.1:\d+->127\.0\.0\.1:\d+: i\/o timeout$/);
    await advanced;
  });

  it('hands an endless refusal on for 10 s', async () => {
    bed.runtime.serve = (socket) => {
      socket.write('HTTP/1.1 500 Internal Server Error\r\n\r\nwhy');
      socket.resume();
    };
    const { client, served } = await bed.session();
    const text = textOf(client);
    await eventually(() => client.bytesRead > 0);
    await bed.clock.advance(10_000);
    await served;
    expect(await text).toBe('HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n\r\nwhy');
  });

  it('tells the runtime which streams, and asks for the newest sandbox', async () => {
    bed.runtime.serve = echo;
    const target = { podUid: 'uid-1', podName: 'web', podNamespace: 'default' };
    const attach = { ...target, kind: 'attach' as const, container: 'app' };
    await bed.session({}, { ...attach, stdin: true, stdout: true, stderr: true, tty: true });
    await bed.session({}, { ...target, kind: 'portforward', ports: [80, 443] });
    await eventually(() => bed.runtime.calls.length === 2);
    expect(bed.runtime.calls).toEqual([
      { containerId: 'c-app', stdin: true, stdout: true, stderr: true, tty: true },
      { podSandboxId: 's-2', port: [80, 443] },
    ]);
  });
});
