import type { FeatureGates } from '../feature-gates/feature-gates.js';
import type { KubeletConfiguration } from '../kubelet-configuration.js';

export interface RuleContext {
  /** The gates of the process with those of the configuration on top. */
  readonly gates: FeatureGates;
  /** cgroup version of the host; undefined leaves the checks that need it out. */
  readonly cgroupVersion: 1 | 2 | undefined;
  /** Adds `invalid configuration: <message>`. */
  report(message: string): void;
  /** Adds a message as it is. */
  reportRaw(message: string): void;
}

/** One group of checks; it reports every fault that it finds. */
export type Rule = (configuration: KubeletConfiguration, context: RuleContext) => void;

/** As Go's %q for a list: `["a" "b"]`. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
