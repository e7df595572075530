import { describe, expect, it } from '@jest/globals';
import { isExpired, shouldReplace } from './token-freshness.js';
import { tokenKey } from './token-request.js';

const hour = 3_600;
const noJitter = { next: () => 0, hex: () => '' };
const fullJitter = { next: () => 0.999, hex: () => '' };

describe('shouldReplace', () => {
  it.each<[string, number | undefined, number, boolean, boolean]>([
    // what, lifetime, age in seconds, replaced without jitter, with the longest jitter of 9 s
    ['new', hour, 0, false, false],
    ['before four fifths', hour, 0.8 * hour - 9, false, false],
    ['within the jitter of four fifths', hour, 0.8 * hour - 8, false, true],
    ['at four fifths', hour, 0.8 * hour, false, true],
    ['after four fifths', hour, 0.8 * hour + 1, true, true],
    ['long-lived, not yet a day old', 100 * hour, 24 * hour - 9, false, false],
    ['long-lived, within the jitter of a day', 100 * hour, 24 * hour - 8, false, true],
    ['long-lived, older than a day', 100 * hour, 24 * hour + 1, true, true],
    ['from the future', hour, -1, true, true],
    ['of unknown life', undefined, 99 * hour, false, false],
  ])('%s', (_what, lifetimeSeconds, ageSeconds, expected, withJitter) => {
    const token = { lifetimeSeconds, expiresAtMs: (lifetimeSeconds ?? 0) * 1_000 };
    expect(shouldReplace(token, ageSeconds * 1_000, noJitter)).toBe(expected);
    expect(shouldReplace(token, ageSeconds * 1_000, fullJitter)).toBe(withJitter);
  });

  it('lets a token expire after its last moment', () => {
    expect(isExpired({ lifetimeSeconds: 1, expiresAtMs: 1_000 }, 1_000)).toBe(false);
    expect(isExpired({ lifetimeSeconds: 1, expiresAtMs: 1_000 }, 1_001)).toBe(true);
  });
});

describe('tokenKey', () => {
  it('is as upstream prints it', () => {
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'web', uid: 'u1' };
    expect(tokenKey('prod', 'app', { audiences: ['a', 'b'], expirationSeconds: 3607, boundObjectRef })).toBe(
      '"app"/"prod"/[]string{"a", "b"}/3607/v1.BoundObjectReference{Kind:"Pod", APIVersion:"v1", Name:"web", UID:"u1"}/""',
    );
    expect(tokenKey('prod', 'app', {})).toBe(
      '"app"/"prod"/[]string(nil)/0/v1.BoundObjectReference{Kind:"", APIVersion:"", Name:"", UID:""}/""',
    );
  });
});
