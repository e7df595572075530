import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { abortError } from './on-abort.js';

describe('abortError', () => {
  it("is the signal's own KubeletError, whatever its code", () => {
    for (const code of ['deadline-exceeded', 'unknown'] as const) {
      const reason = new KubeletError('enough', { code });
      expect(abortError(AbortSignal.abort(reason))).toBe(reason);
    }
  });

  it.each<[unknown, string]>([
    ['enough', 'enough'],
    [new Error('no more'), 'no more'],
    [undefined, 'This operation was aborted'],
  ])('is cancelled around any other reason: %s', (reason, message) => {
    expect(abortError(AbortSignal.abort(reason))).toMatchObject({ code: 'cancelled', message });
  });
});
