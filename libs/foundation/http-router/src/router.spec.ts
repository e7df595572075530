import { describe, expect, it } from '@jest/globals';
import { requestTarget } from './request-target.js';
import type { RoutePath } from './route-pattern.js';
import { Router } from './router.js';

const route = (path: string, methods: RoutePath['methods'], produces?: readonly string[]): RoutePath => ({
  path,
  methods,
  ...(produces && { produces }),
});
const router = new Router([
  route('/metrics', 'any'),
  route('/metrics/probes', 'any'),
  route('/run/', 'any'),
  route('/debug/flags/v', 'any'),
  route('/debug/pprof/{profile...}', ['GET']),
  route('/pods', ['GET'], ['application/json']),
  route('/runningpods/', ['GET']),
  route('/stats/summary', ['GET', 'POST']),
  { ...route('/checkpoint/{namespace}/{pod}', ['POST']), service: '/checkpoint/' },
  route('/logs/', ['GET']),
  route('/logs/{path...}', ['GET'], []),
  route('/exec/{namespace}/{pod}/{container}', ['GET', 'POST']),
  route('/exec/{namespace}/{pod}/{uid}/{container}', ['GET', 'POST']),
]);

function find(line: string, accept?: string): unknown {
  const [method = '', url] = line.split(' ');
  const target = requestTarget(url);
  if (target === undefined) return 'malformed';
  const routed = router.find(method, target, accept);
  if ('route' in routed) return [routed.route.path, { ...routed.parameters }];
  const { status, headers, body } = routed.answer;
  const more = headers['Location'] ?? headers['Allow'] ?? body;
  return [routed.guarded ? 'guarded' : 'open', status, more];
}

const notFound = ['open', 404, '404 page not found\n'];
const pageNotFound = ['guarded', 404, '404: Page Not Found'];

describe('Router', () => {
  it.each<[string, unknown]>([
    ['POST /metrics', ['/metrics', {}]],
    ['GET /metrics/', notFound],
    ['GET /metrics/probes', ['/metrics/probes', {}]],
    ['GET /metrics/other', notFound],
    ['GET /run/a/b', ['/run/', {}]],
    ['GET /run', ['open', 307, '/run/']],
    ['GET /run?cmd=a%20b', ['open', 307, '/run/?cmd=a%20b']],
    ['PUT /debug/flags/v', ['/debug/flags/v', {}]],
    ['GET /debug/pprof', ['open', 307, '/debug/pprof/']],
    ['GET /debug/pprof/heap', ['/debug/pprof/{profile...}', { profile: 'heap' }]],
    ['GET /debug/pprof/', ['/debug/pprof/{profile...}', { profile: '' }]],
    ['GET /debug/other', notFound],
    ['GET /pods', ['/pods', {}]],
    ['GET /pods/', ['/pods', {}]],
    ['GET /p%6fds', ['/pods', {}]],
    ['GET /pods/a', pageNotFound],
    ['HEAD /pods', ['guarded', 405, 'GET']],
    ['GET /podsx', notFound],
    ['GET /runningpods', ['open', 307, '/runningpods/']],
    ['GET /runningpods/', ['/runningpods/', {}]],
    ['DELETE /stats/summary', ['guarded', 405, 'GET, POST']],
    ['GET /stats/other', pageNotFound],
    ['GET /stats', pageNotFound],
    ['GET /checkpoint', ['open', 307, '/checkpoint/']],
    ['GET /checkpoint/', pageNotFound],
    ['POST /checkpoint/n/p', ['/checkpoint/{namespace}/{pod}', { namespace: 'n', pod: 'p' }]],
    ['GET /logs/', ['/logs/', {}]],
    ['GET /logs/a/b', ['/logs/{path...}', { path: 'a/b' }]],
    ['GET /exec/n/p/c', ['/exec/{namespace}/{pod}/{container}', { namespace: 'n', pod: 'p', container: 'c' }]],
    [
      'GET /exec/n/p/u/c/',
      ['/exec/{namespace}/{pod}/{uid}/{container}', { namespace: 'n', pod: 'p', uid: 'u', container: 'c' }],
    ],
    ['GET /exec/n/p', pageNotFound],
    ['GET /exec', pageNotFound],
    ['GET /', notFound],
    // What tries to get from one place to another.
    ['GET //pods', ['open', 307, '/pods']],
    ['GET /metrics/../exec/n/p/c?x', ['open', 307, '/exec/n/p/c?x']],
    ['GET /metrics/./', ['open', 307, '/metrics/']],
    ['GET /../../pods', ['open', 307, '/pods']],
    ['GET //evil.example/%2e%2e', ['open', 307, '/evil.example/%2e%2e']],
    ['GET /metrics/%2e%2e/exec/n/p/c', notFound],
    ['GET /metrics%2f..%2fpods', notFound],
    ['GET /logs/%2e%2e/etc/shadow', notFound],
    ['GET /logs/..%2fetc', notFound],
    ['GET /logs/a%00b', notFound],
    ['GET /exec/n%2fp/c/d', notFound],
    ['GET /__proto__', notFound],
    ['GET /constructor/a', notFound],
    ['GET /%zz', 'malformed'],
    ['GET *', 'malformed'],
    ['GET pods', 'malformed'],
  ])('%s', (line, expected) => {
    expect(find(line)).toEqual(expected);
  });

  it.each([
    ['', []],
    ['?a=1&b=+%20&a=2', ['a=1', 'b=  ', 'a=2']],
    ['?a=1;b=2&c=3', ['c=3']],
    ['?a=%zz&b=%4&%=1&c=%41', ['c=A']],
    ['?a&=b&&', ['a=', '=b']],
  ])('reads the query %j as Go does', (query, pairs) => {
    const read = requestTarget(`/pods${query}`)?.query ?? new URLSearchParams();
    expect([...read].map(([name, value]) => `${name}=${value}`)).toEqual(pairs);
  });

  it.each([
    [undefined, true],
    ['*/*', true],
    ['text/html, application/json;q=0.9', true],
    ['text/html', false],
  ])('pods for a client that wants %s', (accept, served) => {
    const refused = ['guarded', 406, '406: Not Acceptable\n\nAvailable representations: application/json'];
    expect(find('GET /pods', accept)).toEqual(served ? ['/pods', {}] : refused);
  });

  it.each([
    [undefined, true],
    ['text/plain, */*;q=0.8', true],
    ['text/plain', false],
  ])('a route that declares no type for a client that wants %s', (accept, served) => {
    const refused = ['guarded', 406, '406: Not Acceptable\n\nAvailable representations: '];
    expect(find('GET /logs/a', accept)).toEqual(served ? ['/logs/{path...}', { path: 'a' }] : refused);
  });

  it('redirects with a page for browsers and without one for others', () => {
    const target = requestTarget('/run?a=<"\'&');
    const of = (method: string) => target && router.find(method, target);
    expect(of('GET')).toMatchObject({
      answer: { body: '<a href="/run/?a=&lt;&#34;&#39;&amp;">Temporary Redirect</a>.\n\n' },
    });
    expect(of('POST')).toMatchObject({ answer: { status: 307, body: '' } });
  });
});
