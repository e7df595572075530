import { CLOCK, LOGGER, needs, optional, pick, RANDOM, type Health, type Needs } from '@podwright/assembly-interface';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { JOURNAL } from '@podwright/journal-interface';
import { KUBE_CLIENT, leases, nodes, type CallOptions } from '@podwright/kube-client-interface';
import type { Lease } from '@podwright/kube-types';
import { FailureLog } from '@podwright/logging';
import type { NodeLease } from '@podwright/node-lease-interface';
import { nodeCallAdvice } from '@podwright/node-status-interface';
import { GrowingPause, jitter, namedRandom } from '@podwright/time';
import { desiredLease, leaseNamespace, ownedLease } from './desired-lease.js';
import type { RenewingNodeLeaseConfig } from './renewing-node-lease-config.js';

// Upstream's fraction: three renewals may fail before the lease expires.
const renewFraction = 0.25;
const renewJitter = 0.04;
const mostTries = 5;
const firstPauseMs = 200;
const longestPauseMs = 7_000;

export const renewingNodeLeaseNeeds = needs({
  client: pick(KUBE_CLIENT, 'server', 'get', 'create', 'update', 'closeConnections'),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  journal: optional(JOURNAL),
});
export type RenewingNodeLeaseNeeds = Needs<typeof renewingNodeLeaseNeeds>;

/**
 * {@link NodeLease} that renews from the last answer, without reading first. Source: kubernetes v1.36
 * staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go, pkg/kubelet/util/nodelease.go.
 */
export class RenewingNodeLease implements NodeLease {
  private readonly stopping = new AbortController();
  private readonly failureLog: FailureLog;
  private loop: Promise<void> | undefined;
  private latest: Lease | undefined;
  private renewedAtMs: number | undefined;
  private begunAt = 0;
  private renewedAt: number | undefined;
  private lastFailure: string | undefined;
  private waitedForNode = false;

  constructor(
    private readonly deps: RenewingNodeLeaseNeeds,
    private readonly config: RenewingNodeLeaseConfig,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
  }

  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    this.begunAt = this.deps.clock.monotonic();
    this.loop = this.keepRenewing();
  }

  // The lease stays: it expires by itself, and a kubelet that restarts soon continues with it.
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  lastRenewedAtMs(): number | undefined {
    return this.renewedAtMs;
  }

  healthy(): Health {
    if (this.loop === undefined) return { ok: false, reason: 'node-lease is not started' };
    const agoMs = this.deps.clock.monotonic() - (this.renewedAt ?? this.begunAt);
    if (agoMs <= this.config.leaseDurationSeconds * 1_000) return { ok: true };
    const since = this.renewedAt === undefined ? 'since the start' : 'since the last renewal';
    const why = this.lastFailure === undefined ? '' : `: ${this.lastFailure}`;
    return { ok: false, reason: `the lease of the node was not renewed for ${Math.round(agoMs)} ms, ${since}${why}` };
  }

  private async keepRenewing(): Promise<void> {
    const { signal } = this.stopping;
    const periodMs = this.config.leaseDurationSeconds * 1_000 * renewFraction;
    while (!signal.aborted) {
      await this.renew();
      await this.pause(jitter(namedRandom(this.deps.random, 'node-lease'), periodMs, renewJitter));
    }
  }

  private async renew(): Promise<void> {
    if (this.latest !== undefined && (await this.update(this.latest))) return;
    const { lease, created } = await this.ensure();
    this.latest = lease;
    if (lease !== undefined && !created) await this.update(lease);
  }

  /**
   * Gets or creates the lease, with retries. Resolves without a lease when its owner, the Node, is missing; the next
   * period tries again.
   */
  private async ensure(): Promise<{ readonly lease?: Lease; readonly created: boolean }> {
    const pause = new GrowingPause({ firstMs: firstPauseMs, longestMs: longestPauseMs });
    for (;;) {
      try {
        return await this.getOrCreate();
      } catch (error) {
        this.failed('Failed to ensure lease exists, will retry', error);
      }
      await this.pause(pause.next());
      if (this.stopping.signal.aborted) return { created: false };
    }
  }

  private async getOrCreate(): Promise<{ readonly lease?: Lease; readonly created: boolean }> {
    const { nodeName } = this.config;
    try {
      const lease = await this.deps.client.get(leases, { namespace: leaseNamespace, name: nodeName }, this.call());
      return { lease, created: false };
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
    }
    const wanted = await this.prepare(undefined);
    if (wanted === undefined) return { created: false };
    const lease = await this.deps.client.create(leases, wanted, this.call());
    this.succeeded();
    return { lease, created: true };
  }

  private async update(from: Lease): Promise<boolean> {
    let base: Lease | undefined = from;
    for (let attempt = 0; attempt < mostTries && !this.stopping.signal.aborted; attempt++) {
      const wanted = await this.prepare(base);
      if (wanted !== undefined) {
        try {
          this.latest = await this.deps.client.update(leases, wanted, this.call());
          this.succeeded();
          return true;
        } catch (error) {
          this.failed('Failed to update lease', error);
          // Another client changed the lease: only the newer version can be updated.
          if (hasCode(error, 'aborted')) {
            base = (await this.ensure()).lease;
            continue;
          }
        }
      }
      // A connection that a broken network keeps open would swallow the next attempt as well.
      if (attempt > 0) this.deps.client.closeConnections('idle');
    }
    return false;
  }

  /** undefined when the lease has no owner and the Node could not be read. */
  private async prepare(base: Lease | undefined): Promise<Lease | undefined> {
    const { nodeName, leaseDurationSeconds } = this.config;
    const lease = desiredLease(base, { nodeName, leaseDurationSeconds, nowMs: this.deps.clock.now() });
    if ((lease.metadata?.ownerReferences ?? []).length > 0) return lease;
    try {
      const node = await this.deps.client.get(nodes, { name: nodeName }, this.call());
      return ownedLease(lease, nodeName, node.metadata?.uid ?? '');
    } catch (error) {
      // On a new node the lease starts before the Node exists; the first miss is no error.
      if (hasCode(error, 'not-found') && !this.waitedForNode && this.latest === undefined) {
        this.waitedForNode = true;
        this.deps.logger.info('The node is not registered yet, its lease follows', { node: nodeName });
        return undefined;
      }
      this.failed('Failed to get node when trying to set owner ref to the node lease', error);
      return undefined;
    }
  }

  private call(): CallOptions {
    return { budget: 'heartbeat', timeoutMs: this.config.timeoutMs, signal: this.stopping.signal };
  }

  private succeeded(): void {
    const now = this.deps.clock.monotonic();
    const gap = this.renewedAt !== undefined && { gapMs: now - this.renewedAt };
    if (this.lastFailure !== undefined) this.deps.journal?.report({ kind: 'lease.renewed', ...gap });
    this.renewedAt = now;
    this.renewedAtMs = this.deps.clock.now();
    this.lastFailure = undefined;
    this.failureLog.over('The lease of the node is renewed again', { node: this.config.nodeName });
  }

  private failed(message: string, error: unknown): void {
    if (this.stopping.signal.aborted) return;
    const text = messageOf(error);
    if (text !== this.lastFailure) {
      const last = this.renewedAtMs !== undefined && { renewedAtMs: this.renewedAtMs };
      this.deps.journal?.report({ kind: 'lease.failed', error: text, ...last });
    }
    this.lastFailure = text;
    const { nodeName } = this.config;
    const advice = nodeCallAdvice(error, { nodeName, server: this.deps.client.server });
    const kind = `${message} ${KubeletError.from(error).code}`;
    this.failureLog.failed(kind, message, { node: nodeName, error, ...(advice !== undefined && { advice }) });
  }

  private async pause(ms: number): Promise<void> {
    await this.deps.clock.sleep(ms, this.stopping.signal).catch(() => undefined);
  }
}
