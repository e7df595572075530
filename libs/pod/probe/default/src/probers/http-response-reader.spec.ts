import { expect, it } from '@jest/globals';
import { HttpResponseReader } from './http-response-reader.js';

it.each([
  ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\nLocation: /a\r\n\r\nabc', { status: 200, location: '/a', body: 'abc' }],
  ['HTTP/1.0 302 Found\nLocation: b\n\nrest', { status: 302, location: 'b', body: 'rest' }],
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 None\r\n\r\n', { status: 204, location: '', body: '' }],
  [
    `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(10_000)}Transfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n0\r\n\r\n`,
    { status: 200, location: '', body: 'ab' },
  ],
])('reads %.20j in pieces of any size as in one', (text, expected) => {
  for (const size of [1, 2, 3, 5, 7, 1000, text.length]) {
    const reader = new HttpResponseReader();
    let complete = false;
    for (let at = 0; at < text.length && !complete; at += size)
      complete = reader.push(Buffer.from(text.slice(at, at + size)));
    if (!complete) reader.end();
    expect(reader.response()).toEqual(expected);
  }
});
