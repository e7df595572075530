import type { KubeletPart } from './kubelet-part.js';

/** A program made of the kubelet's managers: what an app is, as data. */
export interface KubeletProgram {
  /** Stands in the help text and before messages. */
  readonly name: string;
  /** What it has otherwise than the kubelet, in this order. */
  readonly parts: readonly KubeletPart[];
}
