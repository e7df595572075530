import type { FeatureGates } from '../feature-gates/feature-gates.js';
import type { KubeletConfiguration } from '../kubelet-configuration.js';

export interface RuleContext {
  /** The gates of the process, overridden by those of the configuration. */
  readonly gates: FeatureGates;
  /** The host's cgroup version; undefined skips the checks that need it. */
  readonly cgroupVersion: 1 | 2 | undefined;
  /** Adds `invalid configuration: <message>`. */
  report(message: string): void;
  /** Adds a message without the prefix. */
  reportRaw(message: string): void;
}

/** One group of checks; it reports all faults. */
export type Rule = (configuration: KubeletConfiguration, context: RuleContext) => void;

/** Formats a list as Go's %q: `["a" "b"]`. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
