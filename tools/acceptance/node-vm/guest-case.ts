import type { GuestNode } from './guest-node.js';

/** One test in the guest; it fails by throwing. */
export interface GuestCase {
  readonly name: string;
  /** Cases of one boot run in order; the machine reboots between two boots. */
  readonly boot: number;
  /** When this case fails, the rest of the boot is skipped, because it could not work. */
  readonly vital?: true;
  /** Runs only with `PODWRIGHT_NODE_VM_CASES=all`, because it takes long. */
  readonly extra?: true;
  /** Default 300 s, enough for emulated processors on a busy machine. */
  readonly timeoutMs?: number;
  readonly run: (node: GuestNode) => Promise<void>;
}
