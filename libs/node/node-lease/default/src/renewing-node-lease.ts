import { CLOCK, LOGGER, RANDOM, type Health, decodeOptions } from '@podwright/assembly-interface';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT, leases, nodes, type CallOptions, type KubeClient } from '@podwright/kube-client-interface';
import type { Lease } from '@podwright/kube-types';
import { TroubleLog, type Logger } from '@podwright/logging';
import type { NodeLease } from '@podwright/node-lease-interface';
import { nodeCallAdvice } from '@podwright/node-status-interface';
import { jitter, type Clock, type Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { desiredLease, leaseNamespace, ownedLease } from './desired-lease.js';
import {
  RENEWING_NODE_LEASE_CONFIG,
  renewingNodeLeaseConfigSchema,
  type RenewingNodeLeaseConfig,
} from './renewing-node-lease-config.js';

type Client = Pick<KubeClient, 'server' | 'get' | 'create' | 'update' | 'closeConnections'>;

// Upstream's numbers: a quarter of the duration leaves room for three lost renewals.
const renewFraction = 0.25;
const renewJitter = 0.04;
const mostTries = 5;
const firstPauseMs = 200;
const longestPauseMs = 7_000;

/**
 * {@link NodeLease} that keeps the last answer and renews from it, without reading first. Source: kubernetes v1.36
 * staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go, pkg/kubelet/util/nodelease.go.
 */
@injectable()
export class RenewingNodeLease implements NodeLease {
  private readonly stopping = new AbortController();
  private readonly trouble: TroubleLog;
  private loop: Promise<void> | undefined;
  private latest: Lease | undefined;
  private renewedAtMs: number | undefined;
  private begunAt = 0;
  private renewedAt: number | undefined;
  private lastFailure: string | undefined;
  private waitedForNode = false;

  constructor(
    @inject(KUBE_CLIENT) private readonly client: Client,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(RENEWING_NODE_LEASE_CONFIG) private readonly config: RenewingNodeLeaseConfig,
  ) {
    this.trouble = new TroubleLog(logger, clock);
  }

  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    this.begunAt = this.clock.monotonic();
    this.loop = this.keepRenewing();
  }

  // The lease stays: it runs out by itself, and a kubelet that comes back soon goes on with it.
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  lastRenewedAtMs(): number | undefined {
    return this.renewedAtMs;
  }

  healthy(): Health {
    if (this.loop === undefined) return { ok: false, reason: 'node-lease is not started' };
    const agoMs = this.clock.monotonic() - (this.renewedAt ?? this.begunAt);
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
      await this.pause(jitter(this.random, periodMs, renewJitter));
    }
  }

  private async renew(): Promise<void> {
    if (this.latest !== undefined && (await this.update(this.latest))) return;
    const { lease, created } = await this.ensure();
    this.latest = lease;
    if (lease !== undefined && !created) await this.update(lease);
  }

  /** Gets or creates until it has worked; no lease when its owner is not there, for the next period to try again. */
  private async ensure(): Promise<{ readonly lease?: Lease; readonly created: boolean }> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await this.getOrCreate();
      } catch (error) {
        this.failed('Failed to ensure lease exists, will retry', error);
      }
      await this.pause(pauseMs);
      if (this.stopping.signal.aborted) return { created: false };
    }
  }

  private async getOrCreate(): Promise<{ readonly lease?: Lease; readonly created: boolean }> {
    const { nodeName } = this.config;
    try {
      const lease = await this.client.get(leases, { namespace: leaseNamespace, name: nodeName }, this.call());
      return { lease, created: false };
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
    }
    const wanted = await this.prepare(undefined);
    if (wanted === undefined) return { created: false };
    const lease = await this.client.create(leases, wanted, this.call());
    this.succeeded();
    return { lease, created: true };
  }

  private async update(from: Lease): Promise<boolean> {
    let base: Lease | undefined = from;
    for (let attempt = 0; attempt < mostTries && !this.stopping.signal.aborted; attempt++) {
      const wanted = await this.prepare(base);
      if (wanted !== undefined) {
        try {
          this.latest = await this.client.update(leases, wanted, this.call());
          this.succeeded();
          return true;
        } catch (error) {
          this.failed('Failed to update lease', error);
          // Somebody else wrote it: only the newer version can be updated.
          if (hasCode(error, 'aborted')) {
            base = (await this.ensure()).lease;
            continue;
          }
        }
      }
      // A connection that a broken network holds open would swallow the next try as well.
      if (attempt > 0) this.client.closeConnections('idle');
    }
    return false;
  }

  /** undefined when the owner is missing and the Node could not be read. */
  private async prepare(base: Lease | undefined): Promise<Lease | undefined> {
    const { nodeName, leaseDurationSeconds } = this.config;
    const lease = desiredLease(base, { nodeName, leaseDurationSeconds, nowMs: this.clock.now() });
    if ((lease.metadata?.ownerReferences ?? []).length > 0) return lease;
    try {
      const node = await this.client.get(nodes, { name: nodeName }, this.call());
      return ownedLease(lease, nodeName, node.metadata?.uid ?? '');
    } catch (error) {
      // At the start of a new node the lease is a moment early; that is no trouble yet.
      if (hasCode(error, 'not-found') && !this.waitedForNode && this.latest === undefined) {
        this.waitedForNode = true;
        this.logger.info('The node is not registered yet, its lease follows', { node: nodeName });
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
    this.renewedAt = this.clock.monotonic();
    this.renewedAtMs = this.clock.now();
    this.lastFailure = undefined;
    this.trouble.over('The lease of the node is renewed again', { node: this.config.nodeName });
  }

  private failed(message: string, error: unknown): void {
    if (this.stopping.signal.aborted) return;
    this.lastFailure = messageOf(error);
    const { nodeName } = this.config;
    const advice = nodeCallAdvice(error, { nodeName, server: this.client.server });
    const kind = `${message} ${KubeletError.from(error).code}`;
    this.trouble.failed(kind, message, { node: nodeName, error, ...(advice !== undefined && { advice }) });
  }

  private async pause(ms: number): Promise<void> {
    await this.clock.sleep(ms, this.stopping.signal).catch(() => undefined);
  }
}

export interface RenewingNodeLeaseDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Makes one without a container; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export function createRenewingNodeLease(
  { client, clock, random, logger }: RenewingNodeLeaseDeps,
  options: Partial<RenewingNodeLeaseConfig> & Pick<RenewingNodeLeaseConfig, 'nodeName'>,
): RenewingNodeLease {
  const config = decodeOptions('node-lease', renewingNodeLeaseConfigSchema, options);
  return new RenewingNodeLease(client, clock, random, logger, config);
}
