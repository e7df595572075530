import { withDeadline } from '@podwright/concurrency';
import type { NodeFacts } from '@podwright/console-interface';
import type { NodeExplanation } from '@podwright/explain-interface';
import type { DecisionKind } from '@podwright/journal-interface';
import { deepEqual, podUid, type Node } from '@podwright/kube-types';
import { FailureLog } from '@podwright/logging';
import type { ConsoleParts } from '../console-needs.js';
import { nodeFacts } from './node-facts.js';

const timeoutMs = 10_000;
const leastAgeMs = 5_000;
const mostAgeMs = 10_000;
/** What a node's explanation tells of the past. */
const history = ['evictions', 'imageRemovals', 'imageGcs', 'outages'] as const;
const kindsOfNode: ReadonlySet<DecisionKind> = new Set([
  ...(['eviction', 'node.condition', 'node.status.failed', 'lease.failed', 'lease.renewed'] as const),
  ...(['oom.killed', 'image.gc', 'image.removed', 'sync.paused', 'sync.resumed'] as const),
]);

export const isAboutNode = (kind: DecisionKind): boolean => kindsOfNode.has(kind);

/** Facts and explanation of the node. The day's past is read from disk only when something was added to it. */
export class NodeView {
  private shownFacts: NodeFacts | undefined;
  private shown: NodeExplanation | undefined;
  private explainedAt = -Infinity;
  private isPastKnown = false;
  private readonly failures: FailureLog;

  constructor(
    private readonly parts: Pick<
      ConsoleParts,
      'explainer' | 'node' | 'cgroups' | 'pods' | 'statuses' | 'kubelet' | 'clock' | 'logger'
    >,
    private readonly self: { readonly nodeName: string; readonly startedMs: number },
  ) {
    this.failures = new FailureLog(parts.logger, parts.clock);
  }

  facts(): NodeFacts {
    return (this.shownFacts ??= this.currentFacts());
  }

  /** When they differ from the last ones. */
  changedFacts(): NodeFacts | undefined {
    const next = this.currentFacts();
    if (deepEqual(next, this.shownFacts)) return undefined;
    this.shownFacts = next;
    return next;
  }

  /** Something happened that belongs to the past of the day. */
  touch(): void {
    this.isPastKnown = false;
  }

  explanation(): NodeExplanation | undefined {
    return this.shown;
  }

  /** The explanation, when it is due and differs from the last one; after a failure undefined. */
  async changedExplanation(signal: AbortSignal): Promise<NodeExplanation | undefined> {
    const { clock } = this.parts;
    const ageMs = clock.monotonic() - this.explainedAt;
    if (ageMs < (this.isPastKnown ? mostAgeMs : leastAgeMs)) return undefined;
    this.explainedAt = clock.monotonic();
    const next = await this.explain(signal);
    if (next === undefined) return undefined;
    const isSame = this.shown !== undefined && deepEqual({ ...next, atMs: 0 }, { ...this.shown, atMs: 0 });
    this.shown = next;
    return isSame ? undefined : next;
  }

  private async explain(signal: AbortSignal): Promise<NodeExplanation | undefined> {
    const { clock, explainer } = this.parts;
    const fromMemory = this.isPastKnown && this.shown !== undefined;
    this.isPastKnown = true;
    try {
      const ask = (either: AbortSignal): Promise<NodeExplanation> => explainer.explainNode(either, { fromMemory });
      const next = await withDeadline(clock, timeoutMs, ask, signal);
      this.failures.over('The console can explain the node again');
      const past = fromMemory ? this.shown : undefined;
      return past === undefined ? next : { ...next, ...Object.fromEntries(history.map((name) => [name, past[name]])) };
    } catch (error) {
      this.isPastKnown = false;
      if (!signal.aborted) this.failures.failed('explain', 'The console cannot explain the node', { error });
      return undefined;
    }
  }

  private currentFacts(): NodeFacts {
    const { cgroups, kubelet, pods, statuses } = this.parts;
    const node = this.currentNode();
    return nodeFacts({
      nodeName: this.self.nodeName,
      ...(node && { node }),
      machine: cgroups.machine(),
      version: kubelet?.version ?? '',
      startedMs: kubelet?.startedMs ?? this.self.startedMs,
      pods: pods.getPods().map((pod) => ({ pod, phase: statuses.getPodStatus(podUid(pod))?.phase ?? '' })),
    });
  }

  // Throws while nothing is known about the node.
  private currentNode(): Node | undefined {
    try {
      return this.parts.node.getNode();
    } catch {
      return undefined;
    }
  }
}
