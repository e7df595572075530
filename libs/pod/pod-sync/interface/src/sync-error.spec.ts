import { describe, expect, it } from '@jest/globals';
import type { SyncResult } from '@podwright/container-runtime-interface';
import { backOffUntilOf, syncErrorOf } from './sync-error.js';

const failed = (target: string, backOffUntilMs?: number): SyncResult => ({
  action: 'StartContainer',
  target,
  error: { reason: 'RunContainerError', message: 'said "no"' },
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
      `[${one}, ${one.replace('"a"', '"b"')}, failed to SyncPod: x]`,
    );
  });

  it('knows the earliest end of a back-off, if any', () => {
    expect(backOffUntilOf(syncErrorOf({ results: [failed('a', 30), failed('b', 20), failed('c')] }))).toBe(20);
    expect(backOffUntilOf(syncErrorOf({ results: [failed('a')] }))).toBeUndefined();
    expect(backOffUntilOf('text')).toBeUndefined();
  });
});
