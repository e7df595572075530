import type { GuestNode } from './guest-node.js';

/** One test in the guest. A failure is what it throws. */
export interface GuestCase {
  readonly name: string;
  /** Cases of one boot run in their order; between two boots the machine is restarted. */
  readonly boot: number;
  /** Nothing after it can work when this one fails: the rest of the boot is not tried. */
  readonly vital?: true;
  /** Default 300 s, for emulated processors on a busy machine. */
  readonly timeoutMs?: number;
  readonly run: (node: GuestNode) => Promise<void>;
}
