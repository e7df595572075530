import { CLOCK, LOGGER, METRICS, needs, type Needs } from '@podwright/assembly-interface';
import { Mutex } from '@podwright/concurrency';
import { hasPodLevelResources, podRef, podUid, type Container, type Pod } from '@podwright/kube-types';
import {
  MACHINE_TOPOLOGY,
  type HintProvider,
  type TopologyHint,
  type TopologyHints,
  type TopologyManager,
} from '@podwright/topology-manager-interface';
import { ContainerDecisions } from './container-decisions.js';
import { numaInfoOf, type NumaInfo } from './numa-info.js';
import type { AligningTopologyManagerConfig } from './topology-manager-config.js';
import { TopologyManagerMetrics } from './topology-manager-metrics.js';
import { decide, type TopologyDecision } from './topology-policies.js';
import { policyOf, scopeOf, topologyPolicyOptions, type TopologyPolicy } from './topology-policy.js';
import { affinityRefusal, allocationRefusal } from './topology-refusal.js';

/** The policy and scope that make decisions; undefined with policy none. */
interface Alignment {
  readonly policy: TopologyPolicy;
  readonly scope: 'container' | 'pod';
  readonly preferClosest: boolean;
  readonly numa: NumaInfo;
}

const undecided: TopologyHint = { preferred: false };

export const topologyManagerNeeds = needs({
  machine: MACHINE_TOPOLOGY,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});
export type TopologyManagerNeeds = Needs<typeof topologyManagerNeeds>;

/** {@link TopologyManager} with upstream's policies and scopes. */
export class AligningTopologyManager implements TopologyManager {
  private readonly providers: HintProvider[] = [];
  private readonly decisions = new ContainerDecisions();
  private readonly admissions = new Mutex();
  private readonly counts: TopologyManagerMetrics;
  private alignment: Alignment | undefined;

  constructor(
    private readonly deps: TopologyManagerNeeds,
    private readonly config: AligningTopologyManagerConfig,
  ) {
    this.counts = new TopologyManagerMetrics(deps.metrics);
  }

  async start(): Promise<void> {
    if (this.config.policy === 'none') return;
    const { policy, scope, policyOptions } = this.config;
    const options = topologyPolicyOptions(policyOptions, this.deps.logger);
    const numa = numaInfoOf(await this.deps.machine.read(), options);
    this.alignment = { policy: policyOf(policy), scope: scopeOf(scope), preferClosest: options.preferClosest, numa };
    this.counts.showAlignment();
  }

  async stop(): Promise<void> {
    // Nothing runs between two admissions.
  }

  addHintProvider(provider: HintProvider): () => void {
    this.providers.push(provider);
    return () => {
      const index = this.providers.indexOf(provider);
      if (index >= 0) this.providers.splice(index, 1);
    };
  }

  affinityOf(podUid: string, container: string): TopologyHint {
    return this.decisions.of(podUid, container) ?? undecided;
  }

  admit(pod: Pod): Promise<void> {
    return this.admissions.run(async () => {
      this.counts.admissionAsked();
      const begun = this.deps.clock.monotonic();
      try {
        await this.admitAligned(pod);
      } finally {
        this.counts.admissionTook(this.deps.clock.monotonic() - begun);
      }
    });
  }

  addContainer(pod: Pod, container: Container, containerId: string): void {
    this.decisions.addContainer(containerId, { podUid: podUid(pod), container: container.name });
  }

  removeContainer(containerId: string): void {
    this.decisions.removeContainer(containerId);
  }

  private async admitAligned(pod: Pod): Promise<void> {
    const { alignment } = this;
    if (alignment === undefined) {
      for (const container of containersOf(pod)) await this.allocate(pod, container).catch(rethrow);
      return;
    }
    try {
      if (alignment.scope === 'pod') await this.admitWhole(pod, alignment);
      else for (const container of containersOf(pod)) await this.admitContainer(pod, container, alignment);
    } catch (error) {
      this.counts.refused();
      throw error;
    }
  }

  private async admitContainer(pod: Pod, container: Container, alignment: Alignment): Promise<void> {
    const hints = this.providers.map((provider) => provider.hintsOf(pod, container));
    const { hint, admit } = this.decide(alignment, hints, pod, container.name);
    if (!admit) throw affinityRefusal(this.isPodLevel(pod) ? 'container-level' : undefined);
    this.decisions.set(podUid(pod), container.name, hint);
    await this.allocate(pod, container).catch(rethrow);
    this.countAlignment(alignment, true);
  }

  private async admitWhole(pod: Pod, alignment: Alignment): Promise<void> {
    const podLevel = this.isPodLevel(pod);
    const hints = this.providers.map((provider) => provider.hintsOfPod(pod));
    const { hint, admit } = this.decide(alignment, hints, pod);
    if (!admit) throw affinityRefusal(podLevel ? 'pod-scope' : undefined);
    const containers = containersOf(pod);
    const store = ({ name }: Container): void => this.decisions.set(podUid(pod), name, hint);
    if (podLevel) {
      containers.forEach(store);
      await this.allocatePod(pod, containers).catch(rethrow);
    } else {
      for (const container of containers) {
        store(container);
        await this.allocate(pod, container).catch(rethrow);
      }
    }
    this.countAlignment(alignment, true);
  }

  private decide(
    alignment: Alignment,
    hints: readonly TopologyHints[],
    pod: Pod,
    container?: string,
  ): TopologyDecision {
    const decision = decide(alignment.policy, hints, alignment.numa, alignment.preferClosest);
    this.deps.logger.debug(4, 'Best topology hint', { pod: podRef(pod), container, hints, ...decision });
    if (!decision.admit) this.countAlignment(alignment, false);
    return decision;
  }

  // Only policy single-numa-node promises one node.
  private countAlignment({ policy, scope }: Alignment, ok: boolean): void {
    if (policy === 'single-numa-node') this.counts.alignment(scope, ok);
  }

  private isPodLevel(pod: Pod): boolean {
    return this.config.podLevelResourceManagers && hasPodLevelResources(pod);
  }

  private async allocate(pod: Pod, container: Container): Promise<void> {
    for (const provider of this.providers) await provider.allocate(pod, container);
  }

  private async allocatePod(pod: Pod, containers: readonly Container[]): Promise<void> {
    for (const provider of this.providers) {
      if (provider.allocatePod !== undefined) await provider.allocatePod(pod);
      else for (const container of containers) await provider.allocate(pod, container);
    }
  }
}

function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

function rethrow(error: unknown): never {
  throw allocationRefusal(error);
}
