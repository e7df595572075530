import { describe, expect, it } from '@jest/globals';
import { healthzAnswer } from './healthz.js';
import { requestTarget } from '@podwright/http-router';

const ok = (name: string) => ({ name, check: () => ({ ok: true }) as const });
const broken = (name: string) => ({
  name,
  check: () => ({ ok: false, reason: 'sync Loop took longer than expected' }) as const,
});
const plain = { 'Content-Type': 'text/plain; charset=utf-8' };
const unsniffed = { ...plain, 'X-Content-Type-Options': 'nosniff' };

describe('healthzAnswer', () => {
  it.each([
    ['/healthz', [ok('ping')], 200, unsniffed, 'ok'],
    [
      '/healthz?verbose',
      [ok('ping'), ok('syncloop')],
      200,
      unsniffed,
      '[+]ping ok\n[+]syncloop ok\nhealthz check passed\n',
    ],
    ['/healthz?verbose=false', [ok('ping')], 200, unsniffed, '[+]ping ok\nhealthz check passed\n'],
    [
      '/healthz',
      [ok('ping'), broken('syncloop')],
      500,
      unsniffed,
      '[+]ping ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n',
    ],
    ['/healthz?exclude=syncloop', [ok('ping'), broken('syncloop')], 200, unsniffed, 'ok'],
    [
      '/healthz?verbose&exclude=syncloop',
      [ok('ping'), broken('syncloop')],
      200,
      unsniffed,
      '[+]ping ok\n[+]syncloop excluded: ok\nhealthz check passed\n',
    ],
    [
      '/healthz?verbose&exclude=z&exclude=ping&exclude=a"b',
      [ok('ping')],
      200,
      unsniffed,
      '[+]ping excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a\\"b","z"\nhealthz check passed\n',
    ],
    [
      '/healthz?exclude=x',
      [broken('ping')],
      500,
      unsniffed,
      '[-]ping failed: reason withheld\nwarn: some health checks cannot be excluded: no matches for "x"\nhealthz check failed\n',
    ],
    ['/healthz/ping', [ok('ping')], 200, plain, 'ok'],
    [
      '/healthz/syncloop',
      [ok('ping'), broken('syncloop')],
      500,
      unsniffed,
      'internal server error: sync Loop took longer than expected\n',
    ],
  ])('%s of %j', (url, checks, status, headers, body) => {
    const target = requestTarget(url);
    expect(target && healthzAnswer(checks, target)).toEqual({ status, headers, body });
  });

  it.each(['/healthz/', '/healthz/other', '/healthz/ping/', '/healthzz', '/'])('does not know %s', (path) => {
    expect(healthzAnswer([ok('ping')], { path, query: new URLSearchParams() })).toBeUndefined();
  });
});
