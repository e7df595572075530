import type { PluginResourceAdjustment } from '@podwright/admission-interface';
import { withDeadline } from '@podwright/concurrency';
import { messageOf } from '@podwright/errors';
import { isCriticalPod, podRef, type Node, type Pod, type ResourceList } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { NodeSource } from '@podwright/node-status-interface';
import type { Preemption } from '@podwright/preemption-interface';
import type { Clock } from '@podwright/time';
import { refusal, type Refusal } from '../refusal.js';
import { generalPredicates, type PredicateGates } from './general-predicates.js';
import { UsageCounter } from './node-usage.js';
import { checkOperatingSystem } from './operating-system.js';
import { failureRefusal, type InsufficientAmount, type PredicateFailure } from './predicate-failure.js';
import { checkSupplementalGroups } from './supplemental-groups.js';

export interface NodePredicatesDeps {
  readonly nodes: Pick<NodeSource, 'getNode' | 'fetchNode'>;
  readonly adjustments: readonly PluginResourceAdjustment[];
  readonly preemption: Preemption;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface NodePredicatesOptions extends PredicateGates {
  readonly fetchNodeTimeoutMs: number;
}

const unexpected = 'UnexpectedAdmissionError';

/**
 * Whether pod and node fit. Checks what preemption cannot change first, so that no pod is preempted in vain. Source:
 * kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go.
 */
export class NodePredicates {
  private readonly usage: UsageCounter;

  constructor(
    private readonly deps: NodePredicatesDeps,
    private readonly options: NodePredicatesOptions,
  ) {
    this.usage = new UsageCounter(options);
  }

  async check(pod: Pod, otherPods: readonly Pod[]): Promise<Refusal | undefined> {
    const node = this.knownNode();
    if (node === undefined) return refusal('InvalidNodeInfo', 'Kubelet cannot get node info.');
    const early = checkOperatingSystem(pod) ?? checkSupplementalGroups(pod, node);
    if (early !== undefined) return early;
    let allocatable: ResourceList;
    try {
      allocatable = await this.allocatable(node, pod);
    } catch (error) {
      return refusal(unexpected, `Update plugin resources failed due to ${messageOf(error)}, which is unexpected.`);
    }
    let failures = await this.failures(pod, node, allocatable, otherPods);
    if (failures.length > 0 && isCriticalPod(pod)) {
      const short = failures.filter((failure): failure is InsufficientAmount => failure.kind === 'resource');
      if (short.length === failures.length) return this.makeRoom(pod, short);
      // Missing resources never reject a critical pod; its other failures do.
      failures = failures.filter(({ kind }) => kind !== 'resource');
    }
    const [first] = failures;
    return first === undefined ? undefined : failureRefusal(first);
  }

  private knownNode(): Node | undefined {
    try {
      return this.deps.nodes.getNode();
    } catch (error) {
      this.deps.logger.error('Cannot get Node info', { error });
      return undefined;
    }
  }

  private async failures(
    pod: Pod,
    node: Node,
    allocatable: ResourceList,
    otherPods: readonly Pod[],
  ): Promise<readonly PredicateFailure[]> {
    const usage = this.usage.usageOf(otherPods);
    const failures = generalPredicates(pod, node, allocatable, usage, this.options);
    const onlyLabels = failures.every(
      (failure) => failure.kind === 'predicate' && failure.predicate === 'NodeAffinity',
    );
    if (failures.length === 0 || !onlyLabels) return failures;
    // The cached labels may be older than those that the scheduler used.
    const fetched = await this.freshNode(pod);
    if (fetched === undefined) return failures;
    return generalPredicates(pod, fetched, await this.allocatable(fetched, pod), usage, this.options);
  }

  private async freshNode(pod: Pod): Promise<Node | undefined> {
    const { nodes, clock, logger } = this.deps;
    try {
      return await withDeadline(clock, this.options.fetchNodeTimeoutMs, (signal) => nodes.fetchNode(signal));
    } catch (error) {
      logger.error('Failed to synchronously fetch node info', { pod: podRef(pod), error });
      return undefined;
    }
  }

  private async allocatable(node: Node, pod: Pod): Promise<ResourceList> {
    let allocatable: ResourceList = node.status?.allocatable ?? {};
    for (const adjust of this.deps.adjustments) allocatable = await adjust(allocatable, pod);
    return allocatable;
  }

  private async makeRoom(pod: Pod, short: readonly InsufficientAmount[]): Promise<Refusal | undefined> {
    try {
      await this.deps.preemption.evictPodsToFreeRequests(
        pod,
        short.map(({ resource, requested, used, capacity }) => ({ resource, missing: requested - (capacity - used) })),
      );
      return undefined;
    } catch (error) {
      return refusal(
        unexpected,
        `Unexpected error while attempting to recover from admission failure: ${messageOf(error)}`,
      );
    }
  }
}
