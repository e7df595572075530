import type { FlagKind } from './flag-kinds.js';

export interface FlagDefinition {
  /** The flag's name without the dashes. */
  readonly name: string;
  readonly shorthand?: string;
  readonly kind: FlagKind;
  /**
   * Path of the configuration field that it sets, such as `authentication.anonymous.enabled`; absent for a kubelet-only
   * flag.
   */
  readonly field?: string;
  /** The default of a kubelet-only flag; other flags have the default of their field. */
  readonly default?: unknown;
  readonly help: string;
  /** Why the flag is deprecated: a warning when it is set. The flag still works. */
  readonly deprecated?: string;
}
