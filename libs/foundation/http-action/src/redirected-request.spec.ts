import { describe, expect, it } from '@jest/globals';
import { httpGetRequest, requestUrl, type HttpGetRequest } from './http-get-request.js';
import { redirectedRequest } from './redirected-request.js';

function requestTo(scheme: string, host: string, httpHeaders: { name: string; value: string }[] = []): HttpGetRequest {
  return httpGetRequest({ scheme, port: 8080, path: '/a/b?c', httpHeaders }, {}, host, 'probe');
}
const first = requestTo('HTTP', '10.0.0.1', [{ name: 'Host', value: 'shop.test' }]);
const header = (request: HttpGetRequest | undefined, wanted: string): string | undefined =>
  request?.headers.find(([name]) => name === wanted)?.[1];

describe('redirectedRequest', () => {
  it.each([301, 302, 303, 307, 308])('%d leads on', (status) => {
    expect(redirectedRequest(first, status, '/x')).toBeDefined();
  });

  it.each([
    ['another status', 300, '/x'],
    ['no place', 302, ''],
    ['another host', 302, 'http://10.0.0.2:8080/'],
  ])('%s does not', (_name, status, location) => {
    expect(redirectedRequest(first, status, location)).toBeUndefined();
  });

  it.each([
    ['/x?y#z', 'http://10.0.0.1:8080/x?y', 'shop.test'],
    ['x', 'http://10.0.0.1:8080/a/x', 'shop.test'],
    ['http://10.0.0.1:8081/', 'http://10.0.0.1:8081/', '10.0.0.1:8081'],
    ['https://10.0.0.1/', 'https://10.0.0.1:443/', '10.0.0.1'],
    ['//10.0.0.1/x', 'http://10.0.0.1:80/x', '10.0.0.1'],
  ])('%s is %s, asked for as %s', (location, url, host) => {
    const next = redirectedRequest(first, 302, location);
    expect(next && requestUrl(next)).toBe(url);
    expect(header(next, 'Host')).toBe(host);
    expect(header(next, 'Referer')).toBe('http://10.0.0.1:8080/a/b?c');
    expect(header(next, 'User-Agent')).toBe('kube-probe/1.36');
  });

  it('knows an IPv6 host again', () => {
    const next = redirectedRequest(requestTo('HTTP', 'fd00::1'), 302, 'http://[fd00::1]/');
    expect(next).toMatchObject({ host: 'fd00::1', port: 80 });
    expect(header(next, 'Host')).toBe('[fd00::1]');
  });

  it('follows within this node, which has no name', () => {
    const from = requestTo('HTTP', '');
    const next = redirectedRequest(from, 302, 'x');
    expect(next && requestUrl(next)).toBe('http://:8080/a/x');
    expect(redirectedRequest(from, 302, 'http://127.0.0.1:8080/')).toBeUndefined();
  });

  it('keeps to itself where it came from when the way gets open', () => {
    const next = redirectedRequest(requestTo('HTTPS', '10.0.0.1'), 302, 'http://10.0.0.1/');
    expect(next?.scheme).toBe('http');
    expect(header(next, 'Referer')).toBeUndefined();
  });

  it('tells a place that is none', () => {
    expect(() => redirectedRequest(first, 302, 'http://[')).toThrow('failed to parse Location header "http://["');
  });
});
