import type { Rule } from './rule.js';

const flag = 'enforceNodeAllocatable (--enforce-node-allocatable)';
const pairs = [
  ['system-reserved', 'system-reserved-compressible'],
  ['kube-reserved', 'kube-reserved-compressible'],
] as const;

/** The cgroups on which node allocatable is enforced. */
export const nodeAllocatableRules: Rule = (configuration, { report }) => {
  const enforced = configuration.enforceNodeAllocatable;
  for (const [whole, compressible] of pairs) {
    if (enforced.includes(compressible) && enforced.includes(whole)) {
      report(`both "${whole}" and "${compressible}" cannot be specified together in ${flag}`);
    }
  }
  const seen = new Set<string>();
  for (const value of enforced) {
    const quoted = JSON.stringify(value);
    if (seen.has(value)) {
      report(`duplicated enforcements ${quoted} in ${flag}`);
      continue;
    }
    seen.add(value);
    switch (value) {
      case 'none':
        if (enforced.length > 1) report(`${flag} may not contain additional enforcements when "none" is specified`);
        continue;
      case 'pods':
        break;
      case 'system-reserved':
      case 'system-reserved-compressible':
        if (configuration.systemReservedCgroup === '') {
          report(
            `systemReservedCgroup (--system-reserved-cgroup) must be specified when "system-reserved" or "system-reserved-compressible" included in ${flag}`,
          );
        }
        break;
      case 'kube-reserved':
      case 'kube-reserved-compressible':
        if (configuration.kubeReservedCgroup === '') {
          report(
            `kubeReservedCgroup (--kube-reserved-cgroup) must be specified when "kube-reserved" or "kube-reserved-compressible" included in ${flag}`,
          );
        }
        break;
      default:
        report(
          `option ${quoted} specified for ${flag}. Valid options are "pods", "system-reserved", "system-reserved-compressible", "kube-reserved", "kube-reserved-compressible" or "none"`,
        );
        continue;
    }
    if (!configuration.cgroupsPerQOS) {
      report(`cgroupsPerQOS (--cgroups-per-qos) must be set to true when ${quoted} contained in ${flag}`);
    }
  }
};
