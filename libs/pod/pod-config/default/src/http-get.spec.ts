import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { getOverHttp } from './http-get.js';

describe('getOverHttp', () => {
  it('sends headers, follows redirects and bounds the body', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/here' }).end();
      else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else response.end(`${request.headers['x-token'] ?? 'none'} ${'x'.repeat(100)}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { signal } = new AbortController();
    const headers = { 'X-Token': ['secret'] };
    try {
      const answer = await getOverHttp(`${base}/moved`, { headers, maxBytes: 1000, signal });
      expect([answer.status, answer.body.toString().slice(0, 8)]).toEqual([200, 'secret x']);
      await expect(getOverHttp(base, { headers, maxBytes: 50, signal })).rejects.toThrow('longer than 50 bytes');
      await expect(getOverHttp(`${base}/loop`, { headers, maxBytes: 50, signal })).rejects.toThrow('10 redirects');
      await expect(getOverHttp(base, { headers, maxBytes: 1000, signal: AbortSignal.abort() })).rejects.toThrow();
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
