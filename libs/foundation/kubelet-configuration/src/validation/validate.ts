import { messageOf } from '@podwright/errors';
import { FeatureGates } from '../feature-gates/feature-gates.js';
import type { KubeletConfiguration } from '../kubelet-configuration.js';
import { credentialVerificationRules, imageRules } from './images.js';
import { loggingRules, tracingRules } from './logging.js';
import { networkRules } from './network.js';
import { nodeAllocatableRules } from './node-allocatable.js';
import { nodeRules } from './node.js';
import { numberRules } from './numbers.js';
import { resourceRules } from './resources.js';
import type { Rule } from './rule.js';

const rules: readonly Rule[] = [
  numberRules,
  imageRules,
  nodeRules,
  resourceRules,
  nodeAllocatableRules,
  credentialVerificationRules,
  networkRules,
  loggingRules,
  tracingRules,
];

export interface ValidationOptions {
  /** Gates of the command line; those of the configuration count on top. Default: every gate at its default. */
  readonly gates?: FeatureGates;
  /** cgroup version of the host; without it the checks that need it are left out. */
  readonly cgroupVersion?: 1 | 2;
}

/**
 * All faults of a complete configuration, in upstream's words; none for a valid one.
 * Source: kubernetes v1.36 pkg/kubelet/apis/config/validation/validation.go.
 */
export function validateKubeletConfiguration(
  configuration: KubeletConfiguration,
  options: ValidationOptions = {},
): readonly string[] {
  const faults: string[] = [];
  let gates = options.gates ?? FeatureGates.defaults();
  try {
    gates = gates.withMap(configuration.featureGates);
  } catch (error) {
    // Without the gates the other rules cannot be judged, so this fault stands alone, as upstream.
    return [messageOf(error)];
  }
  faults.push(...gates.validate());
  const context = {
    gates,
    cgroupVersion: options.cgroupVersion,
    report: (message: string) => void faults.push(`invalid configuration: ${message}`),
    reportRaw: (message: string) => void faults.push(message),
  };
  for (const rule of rules) rule(configuration, context);
  return faults;
}
