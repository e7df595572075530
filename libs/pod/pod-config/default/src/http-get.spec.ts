import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { getOverHttp } from './http-get.js';

describe('getOverHttp', () => {
  const servers: Server[] = [];
  const serve = async (answer: RequestListener, host = '127.0.0.1'): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  const { signal } = new AbortController();

  it('sends headers, follows redirects and bounds the body', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/here' }).end();
      else response.end(`${request.headers['x-token'] ?? 'none'} ${'x'.repeat(100)}`);
    });
    const headers = { 'X-Token': ['secret'] };
    const answer = await getOverHttp(`${base}/moved`, { headers, maxBytes: 1000, signal });
    expect([answer.status, answer.body.toString().slice(0, 8)]).toEqual([200, 'secret x']);
    await expect(getOverHttp(base, { headers, maxBytes: 50, signal })).rejects.toThrow('longer than 50 bytes');
    await expect(getOverHttp(base, { headers, maxBytes: 1000, signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it.each([
    [9, '/0'],
    [10, 'stopped after 10 redirects'],
  ])('follows %d redirects in a row: %s', async (redirects, expected) => {
    const base = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end(request.url);
    });
    const got = getOverHttp(`${base}/${redirects}`, { headers: {}, maxBytes: 50, signal });
    expect(await got.then(({ body }) => body.toString(), String)).toContain(expected);
  });

  it.each([
    ['127.0.0.1', 'Bearer t, a=b, google'],
    ['127.0.0.2', 'none, none, google'],
  ])('gives a host its credentials, and all headers but these to others: %s', async (host, expected) => {
    const other = await serve(({ headers }, response) => {
      response.end([headers.authorization ?? 'none', headers.cookie ?? 'none', headers['metadata-flavor']].join(', '));
    }, host);
    const base = await serve((_, response) => void response.writeHead(307, { location: other }).end());
    const headers = { Authorization: ['Bearer t'], Cookie: ['a=b'], 'Metadata-Flavor': ['google'] };
    const { body } = await getOverHttp(base, { headers, maxBytes: 100, signal });
    expect(body.toString()).toBe(expected);
  });
});
