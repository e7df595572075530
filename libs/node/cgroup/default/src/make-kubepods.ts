import path from 'node:path';
import { absentIs, cgroupName, type HugePageSize, isRefused } from '@podwright/cgroup-files';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ActivePods } from '@podwright/pod-workers-interface';
import type { CgroupMetrics } from './cgroup-metrics.js';
import type { CgroupTree, OnRefused } from './cgroup-tree.js';
import type { KubeCgroupConfig } from './kube-cgroup-config.js';
import type { NodeSetup } from './node-setup/node-setup.js';
import type { PodCgroupPaths } from './pod-cgroup-paths.js';
import { QosCgroups } from './qos-cgroups.js';

export interface KubepodsDeps {
  readonly logger: Logger;
  readonly tree: CgroupTree;
  readonly paths: PodCgroupPaths;
  readonly node: NodeSetup;
  readonly metrics: Pick<CgroupMetrics, 'protect'>;
  readonly hugePageSizes: readonly HugePageSize[];
  readonly activePods: ActivePods | undefined;
  readonly onRefused: OnRefused;
}

/**
 * Creates `kubepods` and the QoS cgroups below an existing root and enforces the reservations on them. Resolves with
 * undefined where the kubelet may not create cgroups; otherwise rejects on failure. Source: kubernetes v1.36
 * pkg/kubelet/cm container_manager_linux.go NewContainerManager and Start, qos_container_manager_linux.go Start.
 */
export async function makeKubepods(deps: KubepodsDeps, config: KubeCgroupConfig): Promise<QosCgroups | undefined> {
  const { logger, tree, paths, node, hugePageSizes } = deps;
  const lackingAtRoot = await requireRoot(tree, config);
  const internalName = path.posix.join(config.cgroupRoot, 'kubepods');
  await node.measure(tree, { cgroup: paths.ofTier('Guaranteed'), internalName, hugePageSizes });
  const qos = qosCgroups(deps, config);
  try {
    const lacking = [...lackingAtRoot, ...(await qos.create())];
    if (lacking.length > 0)
      logger.warn('Pods go without limits of controllers that the cgroups above pass on to nobody', { lacking });
  } catch (error) {
    if (!isRefused(error)) throw error;
    logger.warn('Cgroups may not be made here: the runtime makes those of pods, without limits', { error });
    return undefined;
  }
  await node.enforce();
  return qos;
}

// Rejects with upstream's text when the root is missing.
async function requireRoot(tree: CgroupTree, config: KubeCgroupConfig): Promise<readonly string[]> {
  const cgroupRoot = cgroupName(config.cgroupDriver, config.cgroupRoot, []);
  // On v2 a root has only the controllers that the levels above enable for it.
  const lacking = await tree.enableChildren(path.posix.dirname(cgroupRoot)).catch(absentIs<readonly string[]>([]));
  const fault = await tree.fault(cgroupRoot);
  if (fault !== undefined) throw new KubeletError(`invalid configuration: ${fault}`, { code: 'failed-precondition' });
  return lacking;
}

function qosCgroups(deps: KubepodsDeps, config: KubeCgroupConfig): QosCgroups {
  const { tree, paths, node, metrics, hugePageSizes, activePods, onRefused } = deps;
  return new QosCgroups(tree, {
    ...(activePods !== undefined && { activePods: () => activePods.list() }),
    allocatableMemoryBytes: () => node.allocatableMemoryBytes(),
    onReserved: (guaranteedBytes, burstableBytes) => metrics.protect(guaranteedBytes, burstableBytes),
    kubepods: paths.ofTier('Guaranteed'),
    burstable: paths.ofTier('Burstable'),
    bestEffort: paths.ofTier('BestEffort'),
    hugePageSizes,
    config: { ...config, ...(!config.qosReserved && { qosReservedMemoryPercent: 0 }) },
    onRefused,
  });
}
