import type { KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import type { GateFacts } from './gate-options.js';
import type { NodeFacts } from './node-facts.js';

/** Configuration, flags, feature gates and facts of the machine, from which the module options are derived. */
export interface NodeSettings {
  readonly configuration: KubeletConfiguration;
  readonly flags: KubeletFlags;
  readonly facts: NodeFacts;
  readonly gates: GateFacts;
}
