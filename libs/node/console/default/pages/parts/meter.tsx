import type { JSX } from 'preact';

interface MeterProps {
  readonly label: string;
  /** What the bar says, in words. */
  readonly text: string;
  /** Shares of the whole, 0 to 1, from the left. */
  readonly parts: readonly { readonly share: number; readonly kind: 'use' | 'reserved' | 'requested' | 'alarm' }[];
  /** Lines across the bar. */
  readonly lines?: readonly { readonly at: number; readonly kind: 'limit' | 'request' | 'used' | 'threshold' }[];
}

/** A bar that says how much of something is used. Screen readers hear `label: text`. */
export function Meter({ label, text, parts, lines = [] }: MeterProps): JSX.Element {
  const clamped = (share: number): number => Math.min(100, Math.max(0, (Number.isFinite(share) ? share : 0) * 100));
  return (
    <span class="meter" role="img" aria-label={`${label}: ${text}`} title={`${label}: ${text}`}>
      {parts.map(({ share, kind }) => (
        <span key={kind} class={`meter-part meter-${kind}`} style={{ width: `${clamped(share)}%` }} />
      ))}
      {lines
        .filter(({ at }) => at >= 0 && at <= 1)
        .map(({ at, kind }) => (
          <span key={kind} class={`meter-line meter-line-${kind}`} style={{ left: `${clamped(at)}%` }} />
        ))}
    </span>
  );
}
