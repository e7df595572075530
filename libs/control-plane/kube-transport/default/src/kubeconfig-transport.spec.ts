import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { eventually } from '@podwright/time';
import { RecordingTracer } from '@podwright/tracing-interface/contract';
import type { TestHandler } from './fixtures/test-server.js';
import { failed, get, never, text, TransportHarness } from './fixtures/transport-harness.js';

let harness: TransportHarness;
beforeAll(async () => {
  harness = await TransportHarness.create();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

const echo: TestHandler = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { httpVersion, method, url, headers } = request;
    response.end(JSON.stringify({ httpVersion, method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
};

describe.each([
  ['HTTP/2', {}, '2.0'],
  ['HTTP/1.1 over TLS', { http2: false }, '1.1'],
])('%s', (_name, options, version) => {
  it('carries a request and its answer', async () => {
    const server = await harness.serve(echo);
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}/base/` }, { options });
    const request = {
      method: 'POST',
      path: '/api/v1/x?a=b',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    } as const;
    const response = await transport.send(request, never);
    const { headers, ...rest } = JSON.parse(await text(response)) as { headers: Record<string, string> };
    expect(rest).toEqual({ httpVersion: version, method: 'POST', url: '/base/api/v1/x?a=b', body: '{}' });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'accept-encoding': 'gzip' });
    expect(headers[':authority'] ?? headers['host']).toBe(`127.0.0.1:${server.port}`);
    expect([response.status, transport.server]).toEqual([200, `https://127.0.0.1:${server.port}/base`]);
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH'] as const) {
      const answer = await transport.send({ method, path: '/', headers: {} }, never);
      expect(JSON.parse(await text(answer))).toMatchObject({ method, body: '' });
    }
    expect(server.made.sockets).toBe(1);
  });

  it('makes a span of each request and hands it to the server', async () => {
    const server = await harness.serve(echo);
    const tracer = new RecordingTracer();
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { options, tracer });
    const response = await tracer.trace('syncPod', {}, () => get(transport));
    const { headers } = JSON.parse(await text(response)) as { headers: Record<string, string> };
    expect(headers['traceparent']).toBe('HTTP GET');
    expect(tracer.spans[1]).toMatchObject({
      name: 'HTTP GET',
      parent: 'syncPod',
      options: { kind: 'client' },
      attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
    });
  });

  it('unpacks gzip, unless the cluster says no or the caller asks for something else', async () => {
    const body = 'packed '.repeat(10_000);
    const server = await harness.serve((request, response) => {
      const packed = request.headers['accept-encoding'] === 'gzip';
      response.writeHead(200, packed ? { 'content-encoding': 'gzip' } : {});
      response.end(packed ? gzipSync(body) : body);
    });
    const address = { server: `https://127.0.0.1:${server.port}` };
    for (const cluster of [address, { ...address, 'disable-compression': true }]) {
      const { transport } = await harness.connect(cluster, { options });
      const response = await get(transport);
      expect([response.headers['content-encoding'], await text(response)]).toEqual([undefined, body]);
    }
    const { transport } = await harness.connect(address, { options });
    const own = await transport.send({ method: 'GET', path: '/', headers: { 'accept-encoding': 'gzip' } }, never);
    expect(own.headers['content-encoding']).toBe('gzip');
    await own.body[Symbol.asyncIterator]().return?.();
  });

  it('lets go of a body that is left, before and after its first bytes', async () => {
    let open = 0;
    const server = await harness.serve((_request, response) => {
      open += 1;
      response.on('close', () => (open -= 1));
      response.write('first');
    });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { options });
    const [unread, read] = [await get(transport), await get(transport)];
    expect(open).toBe(2);
    for await (const chunk of read.body) {
      expect(Buffer.from(chunk).toString()).toBe('first');
      break;
    }
    await unread.body[Symbol.asyncIterator]().return?.();
    await eventually(() => open === 0);
    expect(hasCode(await failed(text(unread)), 'unavailable')).toBe(true);
  });

  it('ends with the reason of the signal, before and after the head', async () => {
    let isAsked = false;
    const server = await harness.serve((request, response) => {
      if (request.url === '/slow') isAsked = true;
      else response.write('first');
    });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { options });
    const stop = new AbortController();
    const response = await get(transport, '/fast', stop.signal);
    const reading = failed(text(response));
    const waiting = failed(get(transport, '/slow', stop.signal));
    await eventually(() => isAsked);
    const reason = new Error('enough');
    stop.abort(reason);
    expect([await reading, await waiting]).toEqual([reason, reason]);
    expect(await failed(get(transport, '/late', stop.signal))).toBe(reason);
  });

  it('does not take a body that was cut off for a whole one', async () => {
    const server = await harness.serve((_request, response) => void response.write('half'));
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { options });
    const reading = failed(text(await get(transport)));
    for (const socket of server.sockets) socket.destroy();
    expect(hasCode(await reading, 'unavailable')).toBe(true);
  });

  it('closes idle connections or all of them, and makes new ones', async () => {
    const server = await harness.serve(
      (request, response) => void (request.url === '/watch' ? response.write('w') : response.end('x')),
    );
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { options });
    const watch = await get(transport, '/watch');
    transport.closeConnections('idle');
    await text(await get(transport));
    const reading = failed(text(watch));
    transport.closeConnections('all');
    const error = await reading;
    expect([hasCode(error, 'unavailable'), error.message]).toEqual([
      true,
      'the connection was closed to make a new one',
    ]);
    await text(await get(transport));
    transport.closeConnections('idle');
    await eventually(() => server.sockets.size === 0);
    await text(await get(transport));
  });

  it('takes no request after the stop, and ends those that are open', async () => {
    const server = await harness.serve((_request, response) => void response.write('w'));
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { options });
    const reading = failed(text(await get(transport)));
    await Promise.all([transport.stop(), transport.stop()]);
    expect(hasCode(await reading, 'unavailable')).toBe(true);
    expect(hasCode(await failed(get(transport)), 'unavailable')).toBe(true);
    await eventually(() => server.sockets.size === 0);
  });
});

describe('plain HTTP', () => {
  it('sends no credentials, and needs no URL', async () => {
    const server = await harness.serve(echo, { plain: true });
    const { transport } = await harness.connect({ server: `127.0.0.1:${server.port}` }, { user: { token: 't' } });
    const answer = JSON.parse(await text(await get(transport))) as { httpVersion: string; headers: object };
    expect([answer.httpVersion, 'authorization' in answer.headers]).toEqual(['1.1', false]);
  });

  it('sends a request again that met a connection which the server had just closed', async () => {
    const server = await harness.serve(echo, { plain: true });
    const { transport } = await harness.connect({ server: `http://127.0.0.1:${server.port}` });
    await text(await get(transport));
    for (let round = 0; round < 20; round++) {
      for (const socket of server.sockets) socket.resetAndDestroy();
      await text(await get(transport));
    }
    expect(server.made.sockets).toBeGreaterThan(1);
  });
});

describe('sessions of HTTP/2', () => {
  it('hold many streams, and a second one comes when the first is full', async () => {
    const server = await harness.serve((_request, response) => void response.write('w'), {
      settings: { maxConcurrentStreams: 10 },
    });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    await (await get(transport)).body[Symbol.asyncIterator]().return?.();
    const watches = await Promise.all(Array.from({ length: 25 }, () => get(transport)));
    expect([watches.length, server.made.sessions]).toEqual([25, 3]);
  });

  it('that go away take no new streams, and their old ones end in their time', async () => {
    let end = (): void => undefined;
    const server = await harness.serve((request, response) => {
      if (request.url !== '/watch') return void response.end('x');
      response.write('a');
      response.stream.session?.goaway();
      end = () => response.end('b');
    });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    const watch = text(await get(transport, '/watch'));
    for (let round = 0; round < 5; round++) expect(await text(await get(transport))).toBe('x');
    end();
    expect([await watch, server.made.sessions]).toEqual(['ab', 2]);
  });

  it('that refuse a stream get the request once more elsewhere', async () => {
    let refused = 0;
    const server = await harness.serve((_request, response) => {
      if (refused++ === 0) response.stream.close(7);
      else response.end('x');
    });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    expect(await text(await get(transport))).toBe('x');
  });

  it('are avoided with DISABLE_HTTP2', async () => {
    const server = await harness.serve(echo);
    process.env['DISABLE_HTTP2'] = '1';
    harness.later(async () => void delete process.env['DISABLE_HTTP2']);
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    expect(JSON.parse(await text(await get(transport)))).toMatchObject({ httpVersion: '1.1' });
  });

  it('are not insisted on', async () => {
    const server = await harness.serve(echo, { http1: true });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    const answers = await Promise.all([1, 2, 3].map(async () => text(await get(transport))));
    expect(answers.map((answer) => (JSON.parse(answer) as { httpVersion: string }).httpVersion)).toEqual([
      '1.1',
      '1.1',
      '1.1',
    ]);
  });
});
