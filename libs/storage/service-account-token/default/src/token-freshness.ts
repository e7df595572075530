import type { Random } from '@podwright/time';

const oldestMs = 24 * 3_600_000;
const maxJitterSeconds = 10;

export interface IssuedToken {
  /** Undefined when the API server did not report it: then the age of the token cannot be judged. */
  readonly lifetimeSeconds: number | undefined;
  readonly expiresAtMs: number;
}

/**
 * True when at most a fifth of the token's lifetime is left or it is older than a day; both limits are moved earlier at
 * random, so that a node's tokens do not expire together. Also true for a token from the future, because the clock was
 * set back.
 * Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go requiresRefresh.
 */
export function shouldReplace({ lifetimeSeconds, expiresAtMs }: IssuedToken, nowMs: number, random: Random): boolean {
  if (lifetimeSeconds === undefined) return false;
  const issuedAtMs = expiresAtMs - lifetimeSeconds * 1_000;
  const jitterMs = Math.trunc(random.next() * maxJitterSeconds) * 1_000;
  if (nowMs > issuedAtMs + oldestMs - jitterMs) return true;
  if (nowMs > expiresAtMs - Math.trunc(lifetimeSeconds / 5) * 1_000 - jitterMs) return true;
  return nowMs < issuedAtMs;
}

export function isExpired({ expiresAtMs }: IssuedToken, nowMs: number): boolean {
  return nowMs > expiresAtMs;
}
