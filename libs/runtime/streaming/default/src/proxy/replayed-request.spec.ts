import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { replayedRequest } from './replayed-request.js';
import { parseStreamingUrl } from './streaming-url.js';

const url = parseStreamingUrl('http://127.0.0.1:1/exec/t?x=1');
const replay = (method: string, rawHeaders: readonly string[]): string[] => {
  const request = { method, url: '/exec', rawHeaders, socket: new PassThrough(), head: Buffer.alloc(0) };
  return replayedRequest({ ...request, remoteAddress: '192.0.2.7' }, url)
    .toString('latin1')
    .split('\r\n');
};

describe('the request as the runtime gets it', () => {
  it("has the client's method and headers, and the runtime's path and query", () => {
    const headers = ['Host', 'node-1:10250', 'connection', 'Upgrade', 'Upgrade', 'SPDY/3.1', 'X-A', '1', 'X-A', '2'];
    expect(replay('POST', headers)).toEqual([
      'POST /exec/t?x=1 HTTP/1.1',
      'Host: node-1:10250',
      'connection: Upgrade',
      'Upgrade: SPDY/3.1',
      'X-A: 1',
      'X-A: 2',
      'X-Forwarded-For: 192.0.2.7',
      'Content-Length: 0',
      '',
      '',
    ]);
  });

  it('appends the client to those that it came through, and knows no body of a GET', () => {
    const lines = replay('GET', ['X-Forwarded-For', '10.0.0.1', 'x-forwarded-for', '10.0.0.2']);
    expect(lines).toContain('X-Forwarded-For: 10.0.0.1, 10.0.0.2, 192.0.2.7');
    expect(lines).toContain('Host: 127.0.0.1:1');
    expect(lines.join()).not.toMatch(/content-length/i);
  });

  it('leaves out credentials, and what would be answered before the upgrade', () => {
    const lines = replay('POST', ['Authorization', 'Bearer s', 'Expect', '100-continue', 'Content-Length', '0']);
    expect(lines.join()).not.toMatch(/bearer|expect/i);
    expect(lines.filter((line) => /content-length/i.test(line))).toEqual(['Content-Length: 0']);
  });

  it.each([
    ['a line feed in a value', ['X-A', 'a\nX-B: c']],
    ['a carriage return in a value', ['X-A', 'a\rb']],
    ['a space in a name', ['X A', 'a']],
    ['a colon in a name', ['X-A:b', 'a']],
    ['an empty name', ['', 'a']],
    ['a body by length', ['Content-Length', '5']],
    ['a body in chunks', ['Transfer-Encoding', 'chunked']],
    ['a transfer encoding of any kind', ['transfer-encoding', 'identity']],
  ])('refuses %s', (_, rawHeaders) => {
    expect(() => replay('POST', rawHeaders)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  it('refuses a method that is two lines', () => {
    expect(() => replay('GET / HTTP/1.1\r\nX: y', [])).toThrow('invalid method');
  });
});
