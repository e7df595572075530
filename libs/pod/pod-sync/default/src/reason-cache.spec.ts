import { describe, expect, it } from '@jest/globals';
import { ReasonCache } from './reason-cache.js';

describe('ReasonCache', () => {
  const failed = (target: string) => ({
    action: 'StartContainer' as const,
    target,
    error: { reason: 'ErrImagePull', message: 'no' },
  });

  it('keeps the failure of a container until a start succeeds', () => {
    const cache = new ReasonCache();
    cache.update('u', [failed('a'), failed('b')]);
    cache.update('u', [{ action: 'StartContainer', target: 'a' }]);
    expect(cache.get('u', 'a')).toBeUndefined();
    expect(cache.get('u', 'b')).toEqual({ reason: 'ErrImagePull', message: 'no' });
  });

  it('ignores results that are no container starts', () => {
    const cache = new ReasonCache();
    cache.update('u', [{ action: 'CreatePodSandbox', target: 'a', error: { reason: 'x', message: 'y' } }]);
    expect(cache.get('u', 'a')).toBeUndefined();
  });

  it('forgets a pod and stays within its bound', () => {
    const cache = new ReasonCache();
    cache.update('old', [failed('a')]);
    for (let index = 0; index < 1000; index += 1) cache.update(`u${index}`, [failed('a')]);
    expect(cache.get('old', 'a')).toBeUndefined();
    expect(cache.get('u999', 'a')).toBeDefined();
    cache.forget('u999');
    expect(cache.get('u999', 'a')).toBeUndefined();
  });
});
