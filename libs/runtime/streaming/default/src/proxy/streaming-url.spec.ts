import { describe, expect, it } from '@jest/globals';
import { parseStreamingUrl } from './streaming-url.js';

describe('the URL of a session', () => {
  it.each([
    ['http://127.0.0.1:40001/exec/AbC-_9', '127.0.0.1', 40001, '/exec/AbC-_9', false],
    ['//127.0.0.1:40001/exec/t', '127.0.0.1', 40001, '/exec/t', false],
    ['127.0.0.1:40001/exec/t', '127.0.0.1', 40001, '/exec/t', false],
    ['http://[::1]:40001/exec/a%2Fb/../c?x=%20y', '::1', 40001, '/exec/a%2Fb/../c?x=%20y', false],
    ['https://runtime.local/attach/t', 'runtime.local', 443, '/attach/t', true],
    ['https://runtime.local:80/attach/t', 'runtime.local', 80, '/attach/t', true],
    ['HTTP://127.0.0.1', '127.0.0.1', 80, '/', false],
    ['http://127.0.0.1:1?a=b#c', '127.0.0.1', 1, '?a=b', false],
  ])('%s', (text, host, port, target, secure) => {
    expect(parseStreamingUrl(text)).toMatchObject({ host, port, target: target.replace(/^\?/, '/?'), secure });
  });

  it.each([
    ['unix:///run/streaming.sock', 'invalid streaming URL "unix:///run/streaming.sock"'],
    ['ftp://127.0.0.1/x', 'error dialing backend: unknown scheme: ftp'],
    ['', 'invalid streaming URL ""'],
    ['http://127.0.0.1/a b', 'invalid streaming URL "http://127.0.0.1/a b"'],
    ['http://127.0.0.1/a\r\nX: y', 'invalid streaming URL "http://127.0.0.1/a\\r\\nX: y"'],
    ['http://127.0.0.1:99999/', 'invalid streaming URL "http://127.0.0.1:99999/"'],
  ])('refuses %j', (text, message) => {
    expect(() => parseStreamingUrl(text)).toThrow(message);
  });
});
