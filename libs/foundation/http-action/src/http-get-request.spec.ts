import { describe, expect, it } from '@jest/globals';
import { containerPort } from './container-port.js';
import type { HttpGetAction } from './http-get-action.js';
import { httpGetRequest, requestFailure, requestUrl, type HttpGetRequest } from './http-get-request.js';
import { requestRefusal } from './request-refusal.js';

const requestOf = (action: Partial<HttpGetAction> = {}, host = '10.0.0.1'): HttpGetRequest =>
  httpGetRequest({ port: 8080, ...action }, {}, host, 'probe');
const withHeaders = (...given: [name: string, value: string][]): HttpGetRequest =>
  requestOf({ httpHeaders: given.map(([name, value]) => ({ name, value })) });

describe('httpGetRequest', () => {
  it('says where and who', () => {
    expect(
      httpGetRequest({ port: 'web', path: '/x' }, { ports: [{ name: 'web', containerPort: 80 }] }, 'h', 'lifecycle'),
    ).toEqual({
      scheme: 'http',
      host: 'h',
      port: 80,
      path: '/x',
      headers: [
        ['Host', 'h:80'],
        ['User-Agent', 'kube-lifecycle/1.36'],
        ['Accept', '*/*'],
      ],
    });
    expect(requestOf().headers).toContainEqual(['User-Agent', 'kube-probe/1.36']);
  });

  it.each([
    [undefined, '10.0.0.1', 'http://10.0.0.1:8080/'],
    ['', 'a.test', 'http://a.test:8080/'],
    ['HTTPS', 'fd00::1', 'https://[fd00::1]:8080/'],
  ])('scheme %j and host %s make %s', (scheme, host, url) => {
    const request = requestOf({ ...(scheme !== undefined && { scheme }) }, host);
    expect(requestUrl(request)).toBe(url);
    expect(requestFailure(request, 'EOF')).toBe(`Get "${url}": EOF`);
    expect(request.headers[0]).toEqual(['Host', new URL(url).host]);
  });

  it.each<[string, [string, string][], [string, string][]]>([
    [
      'their own ones, several times, by name',
      [
        ['x-one', '1'],
        ['X-ONE', '2'],
      ],
      [
        ['User-Agent', 'kube-probe/1.36'],
        ['Accept', '*/*'],
        ['X-One', '1'],
        ['X-One', '2'],
      ],
    ],
    [
      'another Accept',
      [['ACCEPT', 'text/html']],
      [
        ['User-Agent', 'kube-probe/1.36'],
        ['Accept', 'text/html'],
      ],
    ],
    ['no Accept for an empty one', [['Accept', '']], [['User-Agent', 'kube-probe/1.36']]],
    [
      'no Accept when the first is empty',
      [
        ['Accept', ''],
        ['Accept', 'a/b'],
      ],
      [['User-Agent', 'kube-probe/1.36']],
    ],
    [
      'another User-Agent',
      [['user-agent', 'me']],
      [
        ['User-Agent', 'me'],
        ['Accept', '*/*'],
      ],
    ],
    [
      'the first User-Agent',
      [
        ['User-Agent', 'me'],
        ['User-Agent', 'you'],
      ],
      [
        ['User-Agent', 'me'],
        ['Accept', '*/*'],
      ],
    ],
    ['no User-Agent for an empty one', [['User-Agent', '']], [['Accept', '*/*']]],
    [
      'no word about a body',
      [
        ['Content-Length', '5'],
        ['Transfer-Encoding', 'chunked'],
        ['Trailer', 'X'],
      ],
      [
        ['User-Agent', 'kube-probe/1.36'],
        ['Accept', '*/*'],
      ],
    ],
  ])('headers: %s', (_name, given, expected) => {
    expect(withHeaders(...given).headers).toEqual([['Host', '10.0.0.1:8080'], ...expected]);
  });

  it.each([
    ['the one that is given', [['host', 'shop.test']], 'shop.test'],
    [
      'the first',
      [
        ['Host', 'a.test'],
        ['Host', 'b.test'],
      ],
      'a.test',
    ],
    ['the place itself when it is empty', [['Host', '']], '10.0.0.1:8080'],
  ] as [string, [string, string][], string][])('Host: %s', (_name, given, expected) => {
    expect(withHeaders(...given).headers.filter(([name]) => name === 'Host')).toEqual([['Host', expected]]);
  });

  it.each([
    [undefined, '/'],
    ['', '/'],
    ['healthz', '/healthz'],
    ['/healthz?full=1#part', '/healthz?full=1'],
    ['/a b?c=d e#part', '/a%20b?c=d%20e'],
    ['/a b/ü?x=1 2', '/a%20b/%C3%BC?x=1%202'],
    ['?x=1', '/?x=1'],
    ['/a?', '/a?'],
    ['/é', '/%C3%A9'],
    ['/a%2fb', '/a%2fb'],
    ['/%41/../x', '/%41/../x'],
    ["/!$&'()*+,;=:@[]", "/!$&'()*+,;=:@[]"],
    ["/it's (a) b", '/it%27s%20%28a%29%20b'],
    ['/a%2Fb c', '/a/b%20c'],
    ['/%ff é', '/%FF%20%C3%A9'],
    ['/100%', '/100%25'],
    ['/100%?a', '/100%25%3Fa'],
    ['/100%/(a)', '/100%25/%28a%29'],
    ['/a\tb', '/a%09b'],
    ['/?a=100%', '/?a=100%'],
    ['http://elsewhere:1/x', '/x'],
    ['//elsewhere/x', '/x'],
    ['///x', '///x'],
    ['/a/../b', '/a/../b'],
    ['*', '/*'],
  ])('path %j is asked for as %s', (path, expected) => {
    expect(requestOf({ ...(path !== undefined && { path }) }).path).toBe(expected);
  });
});

describe('containerPort', () => {
  const ports = [
    { name: 'web', containerPort: 80 },
    { name: '81', containerPort: 82 },
  ];

  it.each([
    [1, 1],
    [65535, 65535],
    ['web', 80],
    ['443', 443],
    ['+443', 443],
    ['81', 82],
  ])('%j is %d', (port, expected) => {
    expect(containerPort(port, { ports })).toBe(expected);
  });

  it.each([
    [0, 'invalid port number: 0'],
    [65536, 'invalid port number: 65536'],
    ['-1', 'invalid port number: -1'],
    ['70000', 'invalid port number: 70000'],
    ['admin', 'strconv.Atoi: parsing "admin": invalid syntax'],
    ['', 'strconv.Atoi: parsing "": invalid syntax'],
  ])('%j is none', (port, text) => {
    expect(() => containerPort(port, { ports })).toThrow(text);
    expect(() => containerPort(port, {})).toThrow(text);
  });
});

describe('requestRefusal', () => {
  it.each([
    ['another protocol', requestOf({ scheme: 'FTP' }), 'unsupported protocol scheme "ftp"'],
    ['a second request', withHeaders(['X', 'a\r\nGET /']), 'net/http: invalid header field value for "X"'],
    ['a name that is none', withHeaders(['a b', '1']), 'net/http: invalid header field name "A b"'],
    ['an empty name', withHeaders(['', '1']), 'net/http: invalid header field name ""'],
  ])('names %s', (_name, request, text) => {
    expect(requestRefusal(request)).toBe(text);
  });

  it('lets tabs and other languages pass', () => {
    expect(requestRefusal(withHeaders(['X', 'a\tü']))).toBeUndefined();
  });
});
