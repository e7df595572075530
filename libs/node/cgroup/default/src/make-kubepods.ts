import path from 'node:path';
import { absentIs, cgroupName, isRefused } from '@podwright/cgroup-files';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ActivePods } from '@podwright/pod-workers-interface';
import type { CgroupMetrics } from './cgroup-metrics.js';
import type { CgroupTree, OnRefused } from './cgroup-tree.js';
import type { HugePageSize } from './huge-pages.js';
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
 * Makes `kubepods` and the cgroups of the classes below a root that is there, and enforces on them what is reserved. Resolves
 * with undefined where no cgroups may be made; rejects where they may, and it fails. Source: kubernetes v1.36 pkg/kubelet/cm
 * container_manager_linux.go NewContainerManager and Start, qos_container_manager_linux.go Start.
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

// Upstream's words for a root that was forgotten.
async function requireRoot(tree: CgroupTree, config: KubeCgroupConfig): Promise<readonly string[]> {
  const cgroupRoot = cgroupName(config.cgroupDriver, config.cgroupRoot, []);
  // On v2 a root can have only what the levels above pass on to it.
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
