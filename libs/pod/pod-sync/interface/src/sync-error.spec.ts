import { describe, expect, it } from '@jest/globals';
import type { SyncResult } from '@podwright/container-runtime-interface';
import { backOffUntilOf, syncErrorOf } from './sync-error.js';

const failed = (target: string, backOffUntilMs?: number, message = 'said "no"'): SyncResult => ({
  action: 'StartContainer',
  target,
  error: { reason: 'RunContainerError', message },
  ...(backOffUntilMs !== undefined && { backOffUntilMs }),
});

describe('syncErrorOf', () => {
  it('is undefined when nothing failed', () => {
    expect(syncErrorOf({ results: [{ action: 'StartContainer', target: 'a' }] })).toBeUndefined();
  });

  it('is one part as it is, and several in brackets', () => {
    const one = 'failed to "StartContainer" for "a" with RunContainerError: "said \\"no\\""';
    expect(syncErrorOf({ results: [failed('a')] })?.message).toBe(one);
    expect(syncErrorOf({ results: [failed('a'), failed('b')], error: new Error('x') })?.message).toBe(
      `[failed to SyncPod: x, ${one}, ${one.replace('"a"', '"b"')}]`,
    );
  });

  it('names the same failure once, and quotes as Go does', () => {
    const red = failed('a', undefined, '\u001b[31mred');
    expect(syncErrorOf({ results: [red, red] })?.message).toBe(
      'failed to "StartContainer" for "a" with RunContainerError: "\\x1b[31mred"',
    );
  });

  it('knows the earliest end of a back-off, if any', () => {
    expect(backOffUntilOf(syncErrorOf({ results: [failed('a', 30), failed('b', 20), failed('c')] }))).toBe(20);
    expect(backOffUntilOf(syncErrorOf({ results: [failed('a')] }))).toBeUndefined();
    expect(backOffUntilOf('text')).toBeUndefined();
  });
});
