import { messageOf } from '@podwright/errors';
import { isHugePageResource, tryParseQuantity } from '@podwright/kube-types';
import { parseGoNanoseconds } from '@podwright/time';
import { parseCpuList } from '../cpu-list.js';
import type { Rule } from './rule.js';
import { quoteList } from './rule.js';

const topologyPolicies = ['none', 'best-effort', 'restricted', 'single-numa-node'];
const reservable = ['cpu', 'memory', 'ephemeral-storage', 'pid'];
const idsPerBlock = 65_536;

/** Cgroups, quotas and resource managers. */
export const resourceRules: Rule = (configuration, context) => {
  const { gates, report } = context;
  if (configuration.systemCgroups !== '' && configuration.cgroupRoot === '') {
    report('systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified');
  }
  const period = parseGoNanoseconds(configuration.cpuCFSQuotaPeriod);
  const periodText = `cpuCFSQuotaPeriod (--cpu-cfs-quota-period) {${configuration.cpuCFSQuotaPeriod}}`;
  if (!gates.enabled('CustomCPUCFSQuotaPeriod')) {
    if (period !== 100_000_000n) report(`${periodText} requires feature gate CustomCPUCFSQuotaPeriod`);
  } else if (period < 1_000_000n || period > 1_000_000_000n) {
    report(`${periodText} must be between 1ms and 1sec, inclusive`);
  }
  const { topologyManagerPolicy, topologyManagerScope } = configuration;
  if (!topologyPolicies.includes(topologyManagerPolicy)) {
    report(
      `topologyManagerPolicy (--topology-manager-policy) ${JSON.stringify(topologyManagerPolicy)} must be one of: ${quoteList(topologyPolicies)}`,
    );
  }
  if (topologyManagerScope !== 'container' && topologyManagerScope !== 'pod') {
    report(
      `topologyManagerScope (--topology-manager-scope) ${JSON.stringify(topologyManagerScope)} must be one of: "container", or "pod"`,
    );
  }
  validateReservedCpus(configuration, context);
  validateReservedMemory(configuration, context);
  validateMemory(configuration, context);
  validateReservations(configuration, context);
};

const validateReservedCpus: Rule = (configuration, { report }) => {
  const { reservedSystemCPUs: cpus, systemReservedCgroup, kubeReservedCgroup } = configuration;
  if (cpus === '') return;
  if (systemReservedCgroup !== '' || kubeReservedCgroup !== '') {
    report(
      "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup (--system-reserved-cgroup) or kubeReservedCgroup (--kube-reserved-cgroup)",
    );
  }
  try {
    parseCpuList(cpus);
  } catch (error) {
    report(`unable to parse reservedSystemCPUs (--reserved-cpus) ${cpus}, error: ${messageOf(error)}`);
  }
};

const validateReservedMemory: Rule = ({ reservedMemory }, { report }) => {
  const seen = new Set<string>();
  for (const { numaNode, limits } of reservedMemory) {
    for (const [name, amount] of Object.entries(limits)) {
      const place = `NUMA node ${numaNode} and resource ${JSON.stringify(name)}`;
      if (name !== 'memory' && !isHugePageResource(name)) {
        report(
          `the limit type ${JSON.stringify(name)} for NUMA node ${numaNode} is not supported, only [memory hugepages-<HugePageSize>] is accepted`,
        );
      }
      if (tryParseQuantity(amount)?.nano === 0n) report(`reserved memory may not be zero for ${place}`);
      const key = `${numaNode} ${name}`;
      if (seen.has(key)) report(`the reserved memory has a duplicate value for ${place}`);
      seen.add(key);
    }
  }
};

const validateMemory: Rule = (configuration, { gates, cgroupVersion, report, reportRaw }) => {
  const { swapBehavior } = configuration.memorySwap;
  if (!gates.enabled('NodeSwap')) {
    if (swapBehavior !== '') report('memorySwap.swapBehavior cannot be set when NodeSwap feature flag is disabled');
  } else if (!['', 'NoSwap', 'LimitedSwap'].includes(swapBehavior)) {
    report(`memorySwap.swapBehavior ${JSON.stringify(swapBehavior)} must be one of: "", "LimitedSwap" or "NoSwap"`);
  }
  const { memoryThrottlingFactor: factor, memoryReservationPolicy: policy } = configuration;
  if (!(factor > 0 && factor <= 1)) {
    report(`memoryThrottlingFactor ${factor} must be greater than 0 and less than or equal to 1.0`);
  }
  if (policy === 'TieredReservation' && !gates.enabled('MemoryQoS')) {
    report(`memoryReservationPolicy "${policy}" requires MemoryQoS feature gate to be enabled`);
  }
  if (policy !== 'None' && policy !== 'TieredReservation') {
    report(
      `option ${JSON.stringify(policy)} specified for memoryReservationPolicy. Valid options are "None" or "TieredReservation"`,
    );
  }
  const ids = configuration.userNamespaces.idsPerPod;
  if (ids !== undefined && ids < idsPerBlock) report(`userNamespaces.idsPerPod must not be less than ${idsPerBlock}`);
  else if (ids !== undefined && ids % idsPerBlock !== 0) {
    report(`userNamespaces.idsPerPod must be a multiple of ${idsPerBlock}`);
  } else if (ids !== undefined && ids > 2 ** 32 - 1) {
    report('userNamespaces.idsPerPod must not be more than 4294967295');
  }
  if (cgroupVersion !== 1) return;
  if (configuration.failCgroupV1) {
    reportRaw(
      'kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release',
    );
  }
  if (configuration.singleProcessOOMKill === false) {
    report('singleProcessOOMKill must not be explicitly set to false when using cgroup v1');
  }
  if (swapBehavior === 'LimitedSwap') report('swap feature is enabled and LimitedSwap needs cgroup v2');
};

/** Validates reserved resources. Upstream reports these faults only at start-up; here the message names the field. */
const validateReservations: Rule = (configuration, { report }) => {
  for (const [field, flag] of [
    ['systemReserved', '--system-reserved'],
    ['kubeReserved', '--kube-reserved'],
  ] as const) {
    for (const [name, amount] of Object.entries(configuration[field])) {
      if (!reservable.includes(name)) {
        report(`${field} (${flag}): cannot reserve ${JSON.stringify(name)} resource`);
        continue;
      }
      const quantity = tryParseQuantity(amount);
      if (quantity === undefined) {
        report(
          `${field} (${flag}): failed to parse quantity ${JSON.stringify(amount)} for ${JSON.stringify(name)} resource`,
        );
      } else if (quantity.nano < 0n) {
        report(`${field} (${flag}): resource quantity for ${JSON.stringify(name)} cannot be negative: ${amount}`);
      }
    }
  }
};
