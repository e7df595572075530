import type { Random } from '@podwright/time';
import { formatGoDuration, parseGoDuration } from '@podwright/time';

/** A time that is drawn anew for each use, in milliseconds. */
export type Spread =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly fromMs: number; readonly toMs: number }
  /** Log-normal: half are below the median, 95 of 100 below `p95Ms`. */
  | { readonly kind: 'skewed'; readonly medianMs: number; readonly p95Ms: number };

// The 95th percentile of the standard normal distribution.
const z95 = 1.6448536269514722;

export const fixed = (ms: number): Spread => ({ kind: 'fixed', ms });

/** Reads `5s`, `1s..5s` or `2s p95 8s`. Throws with a sentence about what is wrong. */
export function parseSpread(text: string): Spread {
  const uniform = /^(\S+?)\.\.(\S+)$/.exec(text.trim());
  const skewed = /^(\S+)\s+p95\s+(\S+)$/.exec(text.trim());
  if (uniform !== null) {
    const [fromMs, toMs] = [time(uniform[1]), time(uniform[2])];
    if (toMs < fromMs) throw new Error(`the end of ${JSON.stringify(text)} is below its start`);
    return { kind: 'uniform', fromMs, toMs };
  }
  if (skewed !== null) {
    const [medianMs, p95Ms] = [time(skewed[1]), time(skewed[2])];
    if (medianMs <= 0 || p95Ms < medianMs)
      throw new Error(`${JSON.stringify(text)} must have a median above 0 and a p95 that is not below it`);
    return { kind: 'skewed', medianMs, p95Ms };
  }
  return fixed(time(text.trim()));
}

/** The longest time that the spread has, in milliseconds; for a skewed one, which has no end, its 95th percentile. */
export const longest = (spread: Spread): number =>
  spread.kind === 'fixed' ? spread.ms : spread.kind === 'uniform' ? spread.toMs : spread.p95Ms;

/** One time of the spread, in whole milliseconds. */
export function draw(spread: Spread, random: Random): number {
  switch (spread.kind) {
    case 'fixed':
      return spread.ms;
    case 'uniform':
      return Math.round(spread.fromMs + random.next() * (spread.toMs - spread.fromMs));
    case 'skewed': {
      const sigma = Math.log(spread.p95Ms / spread.medianMs) / z95;
      return Math.round(spread.medianMs * Math.exp(sigma * standardNormal(random)));
    }
  }
}

// Box-Muller; 1 - next() is never 0.
function standardNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

function time(text: string | undefined): number {
  const ms = parseGoDuration(text ?? '');
  if (ms < 0) throw new Error(`${formatGoDuration(ms)} must not be negative`);
  return ms;
}
