import { describe, expect, it } from '@jest/globals';
import { cookieName, TokenAccess } from './token-access.js';

const access = new TokenAccess('right', '/srv/kubelet');

function refuse(url: string, headers: Readonly<Record<string, string>> = {}): ReturnType<TokenAccess['refuse']> {
  const { pathname, searchParams } = new URL(url, 'http://x');
  return access.refuse({
    method: 'GET',
    path: pathname,
    query: searchParams,
    headers: { host: 'localhost', ...headers },
  });
}

describe('access to the port of the console', () => {
  it('takes the token once from the address, and then from the cookie', () => {
    const welcome = refuse('/console/?token=right&x=1');
    expect(welcome).toMatchObject({ status: 303, headers: { Location: '/console/?x=1', 'Cache-Control': 'no-store' } });
    const cookie = String(welcome?.headers['Set-Cookie']);
    expect(cookie).toMatch(new RegExp(`^${cookieName}-[0-9a-f]{8}=right; Path=/console; HttpOnly; SameSite=Strict$`));
    expect(refuse('/console/live', { cookie: `other=1; ${cookie.split(';')[0]}` })).toBeUndefined();
    // A browser sends the cookie of a console on another port, too, and another one must not replace it.
    const other = new TokenAccess('left', '/srv/kubelet').refuse({
      ...{ method: 'GET', path: '/console/', headers: { host: 'localhost' } },
      query: new URLSearchParams({ token: 'left' }),
    });
    expect(String(other?.headers['Set-Cookie']).split('=')[0]).not.toBe(cookie.split('=')[0]);
    expect(refuse('/console/live', { cookie: `${cookieName}=stale; ${cookieName}=right` })).toBeUndefined();
  });

  it.each([
    ['/console', 401],
    ['/console/', 401],
    ['/console/live', 401],
    ['/console/data/journal', 401],
    ['/console/assets/x.js', 401],
    ['/console/?token=wrong', 403],
    ['/console/?token=', 403],
  ])('%s without the right token: %i, with what to do', (url, status) => {
    for (const cookie of ['', `${cookieName}=wrong`, `${cookieName}=`]) {
      const refusal = refuse(url, { cookie });
      expect(refusal?.status).toBe(status);
      expect(refusal?.body).toContain('run "podwright console --root-dir=/srv/kubelet" on this machine');
    }
  });

  it('takes the token of a program from its Authorization header', () => {
    expect(refuse('/console/data/journal', { authorization: 'Bearer right' })).toBeUndefined();
    expect(refuse('/console/data/journal', { authorization: 'bearer  right' })).toBeUndefined();
    expect(refuse('/console/data/journal', { authorization: 'Bearer wrong' })?.status).toBe(403);
    expect(refuse('/console/data/journal', { authorization: 'Basic right' })?.status).toBe(401);
    const elsewhere = { host: 'evil.example', authorization: 'Bearer right' };
    expect(refuse('/console/data/journal', elsewhere)?.status).toBe(403);
  });

  it('needs none for the answers of cAdvisor', () => {
    expect(refuse('/api/v1.3/machine')).toBeUndefined();
  });

  it.each(['/console/', '/api/v1.3/machine', '/console/?token=right'])(
    'refuses %s under the name of another site, whoever asks',
    (url) => {
      const refusal = refuse(url, { host: 'evil.example:4194', cookie: `${cookieName}=right` });
      expect(refusal).toMatchObject({
        status: 403,
        body: '"evil.example:4194" is not this machine: use localhost or 127.0.0.1\n',
      });
      expect(refusal?.headers).not.toHaveProperty('Set-Cookie');
    },
  );
});
