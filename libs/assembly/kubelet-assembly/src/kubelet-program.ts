import type { ProgramFlags } from '@podwright/kubelet-configuration';
import type { KubeletPart } from './kubelet-part.js';

/** A program made of the kubelet's managers: what an app is, as data. */
export interface KubeletProgram extends ProgramFlags {
  /** How it differs from the kubelet; the parts apply in this order. */
  readonly parts: readonly KubeletPart[];
}
