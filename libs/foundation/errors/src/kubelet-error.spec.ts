import { describe, expect, it } from '@jest/globals';
import { hasCode, KubeletError, isMissing, messageOf } from './kubelet-error.js';

describe('KubeletError', () => {
  it('keeps code, reason and cause', () => {
    const cause = new Error('inner');
    const error = new KubeletError('outer', { code: 'not-found', reason: 'ErrImagePull', cause });
    expect(error).toMatchObject({
      name: 'KubeletError',
      message: 'outer',
      code: 'not-found',
      reason: 'ErrImagePull',
      cause,
    });
  });

  it('wraps anything thrown', () => {
    const known = new KubeletError('x', { code: 'aborted' });
    expect(KubeletError.from(known)).toBe(known);
    expect(KubeletError.from(new DOMException('stop', 'AbortError')).code).toBe('cancelled');
    expect(KubeletError.from(new DOMException('late', 'TimeoutError')).code).toBe('deadline-exceeded');
    expect(KubeletError.from('text')).toMatchObject({ code: 'unknown', message: 'text', cause: 'text' });
  });
});

describe('hasCode', () => {
  it('looks through causes and into other copies of the package', () => {
    const inner = new KubeletError('x', { code: 'unavailable' });
    const outer = new Error('y', { cause: new KubeletError('z', { code: 'internal', cause: inner }) });
    expect([hasCode(outer, 'unavailable'), hasCode(outer, 'internal'), hasCode(outer, 'not-found')]).toEqual([
      true,
      true,
      false,
    ]);
    const foreign = { [Symbol.for('@podwright/errors/KubeletError/v1')]: true, code: 'not-found' };
    expect(hasCode(foreign, 'not-found')).toBe(true);
    expect([hasCode(undefined, 'unknown'), hasCode('text', 'unknown'), hasCode(null, 'unknown')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('messageOf', () => {
  it('is the text of anything', () => {
    expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual(['a', 'b', 'undefined']);
  });
});

describe('isMissing', () => {
  it('is true for ENOENT alone', () => {
    const errors = [{ code: 'ENOENT' }, { code: 'ENOTDIR' }, new Error('ENOENT'), 'ENOENT', undefined, null];
    expect(errors.map(isMissing)).toEqual([true, false, false, false, false, false]);
  });
});
