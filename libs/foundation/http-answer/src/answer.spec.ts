import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { goError, jsonPage, redirect, text, upgradeError } from './answer.js';

describe('answers', () => {
  it('are plain text, an error of Go, or JSON for people', () => {
    expect(text(404, 'gone')).toMatchObject({ status: 404, body: 'gone' });
    expect(goError(400, 'bad')).toMatchObject({
      status: 400,
      headers: { 'X-Content-Type-Options': 'nosniff' },
      body: 'bad\n',
    });
    expect(jsonPage({ a: [1] })).toEqual({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: '{\n "a": [\n  1\n ]\n}',
    });
  });

  it('redirect with a page for GET alone, escaped', () => {
    expect(redirect('GET', '/a?b="c"').body).toBe('<a href="/a?b=&#34;c&#34;">Temporary Redirect</a>.\n\n');
    expect(redirect('POST', '/a')).toEqual({ status: 307, headers: { Location: '/a' }, body: '' });
  });

  it.each([
    ['not-found', 404],
    ['invalid-argument', 400],
    ['resource-exhausted', 429],
    ['internal', 500],
  ] as const)('of a stream that ends with %s: %i', (code, status) => {
    const answer = upgradeError(new KubeletError('why', { code }));
    expect([answer.status, answer.body]).toEqual([status, 'why\n']);
    expect(answer.headers['Retry-After']).toBe(status === 429 ? '60' : undefined);
  });
});
