import { parseGoNanoseconds } from '@podwright/time';
import type { KubeletConfiguration } from '../kubelet-configuration.js';
import type { Rule } from './rule.js';

type NumberField = {
  [K in keyof KubeletConfiguration]-?: KubeletConfiguration[K] extends number ? K : never;
}[keyof KubeletConfiguration];

/** A field, its flag, and its lowest and highest value. */
type RangeRow = readonly [field: NumberField, flag: string, low: number, high: number];

const notNegative: readonly (readonly [field: NumberField, flag: string])[] = [
  ['eventBurst', '--event-burst'],
  ['eventRecordQPS', '--event-qps'],
  ['kubeAPIBurst', '--kube-api-burst'],
  ['kubeAPIQPS', '--kube-api-qps'],
  ['maxOpenFiles', '--max-open-files'],
  ['maxPods', '--max-pods'],
  ['podsPerCore', '--pods-per-core'],
  ['registryBurst', '--registry-burst'],
  ['registryPullQPS', '--registry-qps'],
];

const ranges: readonly RangeRow[] = [
  ['imageGCHighThresholdPercent', '--image-gc-high-threshold', 0, 100],
  ['imageGCLowThresholdPercent', '--image-gc-low-threshold', 0, 100],
  ['iptablesDropBit', '--iptables-drop-bit', 0, 31],
  ['iptablesMasqueradeBit', '--iptables-masquerade-bit', 0, 31],
  ['oomScoreAdj', '--oom-score-adj', -1000, 1000],
  ['port', '--port', 1, 65535],
];

/** Ranges of numbers. */
export const numberRules: Rule = (configuration, { report }) => {
  for (const [field, flag] of notNegative) {
    const value = configuration[field];
    if (value < 0) report(`${field} (${flag}) ${value} must not be a negative number`);
  }
  for (const [field, flag, low, high] of ranges) {
    const value = configuration[field];
    if (value < low || value > high)
      report(`${field} (${flag}) ${value} must be between ${low} and ${high}, inclusive`);
  }
  const { healthzPort, readOnlyPort, nodeStatusMaxImages } = configuration;
  if (healthzPort < 0 || healthzPort > 65535) {
    report(`healthzPort (--healthz-port) ${healthzPort} must be between 1 and 65535, inclusive`);
  }
  if (readOnlyPort < 0 || readOnlyPort > 65535) {
    report(`readOnlyPort (--read-only-port) ${readOnlyPort} must be between 0 and 65535, inclusive`);
  }
  if (configuration.nodeLeaseDurationSeconds <= 0) report('nodeLeaseDurationSeconds must be greater than 0');
  if (nodeStatusMaxImages < -1) {
    report(`nodeStatusMaxImages (--node-status-max-images) ${nodeStatusMaxImages} must be -1 or greater`);
  }
  const { containerLogMaxWorkers, containerLogMaxFiles, containerLogMonitorInterval } = configuration;
  if (containerLogMaxWorkers < 1) report('containerLogMaxWorkers must be greater than or equal to 1');
  if (parseGoNanoseconds(containerLogMonitorInterval) < 3_000_000_000n) {
    report('containerLogMonitorInterval must be a positive time duration greater than or equal to 3s');
  }
  if (containerLogMaxFiles <= 1) report('containerLogMaxFiles must be greater than 1');
};
