import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { abortError, onAbort } from './on-abort.js';

describe('onAbort', () => {
  it('calls those who still listen, once and in their order', () => {
    const controller = new AbortController();
    const calls: string[] = [];
    onAbort(controller.signal, () => calls.push('first'));
    const leave = onAbort(controller.signal, () => calls.push('left'));
    onAbort(controller.signal, () => leaveLater());
    const leaveLater = onAbort(controller.signal, () => calls.push('left by another'));
    onAbort(controller.signal, () => onAbort(controller.signal, () => calls.push('too late')));
    onAbort(controller.signal, () => calls.push('last'));
    leave();
    leave();
    controller.abort();
    onAbort(controller.signal, () => calls.push('aborted already'));
    expect(calls).toEqual(['first', 'last']);
  });

  it('listens again after all have left, and leaves nothing behind', () => {
    const controller = new AbortController();
    const calls: string[] = [];
    onAbort(controller.signal, () => calls.push('left'))();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    const leave = Array.from({ length: 100 }, () => onAbort(controller.signal, () => calls.push('left, too')));
    onAbort(controller.signal, () => calls.push('here'));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    for (const one of leave) one();
    controller.abort();
    expect(calls).toEqual(['here']);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

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
