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
  /** The gates of the command line; those of the configuration override them. Default: every gate at its default. */
  readonly gates?: FeatureGates;
  /** The host's cgroup version. Absent: the checks that need it are skipped. */
  readonly cgroupVersion?: 1 | 2;
}

/** The faults of `logging` alone: upstream checks them once more before all others, when it starts to log. */
export function validateLogging(configuration: KubeletConfiguration, gates: FeatureGates): readonly string[] {
  const faults: string[] = [];
  const report = (message: string): void => void faults.push(message);
  loggingRules(configuration, { gates, cgroupVersion: undefined, report, reportRaw: report });
  return faults;
}

/**
 * Validates a complete configuration; returns all faults in upstream's words, none when it is valid.
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
    // The other rules need the gates, so like upstream return only this fault.
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
