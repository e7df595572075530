import type { Random } from '@podwright/time';

const oldestMs = 24 * 3_600_000;
const maxJitterSeconds = 10;

export interface IssuedToken {
  /** Undefined when the API server did not say: then nobody can tell when the token is old. */
  readonly lifetimeSeconds: number | undefined;
  readonly expiresAtMs: number;
}

/**
 * True for a token of which a fifth of its life or less is left, or older than a day, both a bit earlier at random so that
 * not all tokens of a node are asked for at once; also for one from the future, as the clock has been set since.
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
