import type { FlagKind } from './flag-kinds.js';

export interface FlagDefinition {
  /** Without the dashes. */
  readonly name: string;
  readonly shorthand?: string;
  readonly kind: FlagKind;
  /** Path of the configuration field that the flag sets, such as `authentication.anonymous.enabled`; none: kubelet-only. */
  readonly field?: string;
  /** Of a kubelet-only flag; the others have the default of their field. */
  readonly default?: unknown;
  readonly help: string;
  /** Why not to use it; printed when the flag is set. The flag still works. */
  readonly deprecated?: string;
}
