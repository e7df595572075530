import { CLOCK, LOGGER, decodeOptions } from '@podwright/assembly-interface';
import type { CloudResourceSync } from '@podwright/cloud-resource-sync-interface';
import { KubeletError } from '@podwright/errors';
import type { Node, NodeAddress } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { REGISTERED_NODE, type RegisteredNode } from '@podwright/node-status-interface';
import { onAbort, type Clock, type Timer } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import {
  WATCHED_CLOUD_RESOURCES_CONFIG,
  watchedCloudResourcesConfigSchema,
  type WatchedCloudResourcesConfig,
} from './watched-cloud-resources-config.js';

const taintKey = 'node.cloudprovider.kubernetes.io/uninitialized';

/**
 * {@link CloudResourceSync} that looks at the watched Node: the provider has answered when its taint is gone, or when there is
 * an address that is no mere name. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go NodeAddress (the kubelet itself
 * asks no cloud any more).
 */
@injectable()
export class WatchedCloudResources implements CloudResourceSync {
  private readonly stopping = new AbortController();
  private unsubscribe: () => void = () => undefined;
  private reminder: Timer | undefined;
  private told = false;

  constructor(
    @inject(REGISTERED_NODE) private readonly node: Pick<RegisteredNode, 'current' | 'watch'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(WATCHED_CLOUD_RESOURCES_CONFIG) private readonly config: WatchedCloudResourcesConfig,
  ) {}

  async start(): Promise<void> {
    const { externalCloudProvider, timeoutMs } = this.config;
    if (!externalCloudProvider || this.reminder !== undefined || this.stopping.signal.aborted) return;
    this.reminder = this.clock.setTimer(timeoutMs, () => this.remind());
    this.unsubscribe = this.node.watch(() => this.tell());
    this.tell();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the kubelet stops', { code: 'cancelled' }));
    this.reminder?.cancel();
    this.unsubscribe();
  }

  initialized(): boolean {
    const node = this.node.current();
    return node !== undefined && !isTainted(node);
  }

  nodeAddresses(signal: AbortSignal): Promise<readonly NodeAddress[]> {
    return new Promise((resolve, reject) => {
      const ends: (() => void)[] = [];
      const end = (settle: () => void): void => {
        for (const cleanUp of ends) cleanUp();
        settle();
      };
      const look = (): void => {
        const found = this.answer();
        if (found !== undefined) end(() => resolve(found));
      };
      const refuse = (reason: unknown): void => end(() => reject(reason as Error));
      for (const stop of [signal, this.stopping.signal]) {
        if (stop.aborted) return refuse(stop.reason);
        ends.push(onAbort(stop, () => refuse(stop.reason)));
      }
      const timer = this.clock.setTimer(this.config.timeoutMs, () =>
        refuse(new KubeletError(this.missing(), { code: 'unavailable' })),
      );
      ends.push(
        () => timer.cancel(),
        this.node.watch(() => look()),
      );
      look();
    });
  }

  private answer(): readonly NodeAddress[] | undefined {
    const node = this.node.current();
    const addresses = node?.status?.addresses ?? [];
    if (node === undefined || addresses.length === 0) return undefined;
    if (!this.config.externalCloudProvider || !isTainted(node)) return addresses;
    return addresses.some(({ type }) => type === 'InternalIP' || type === 'ExternalIP') ? addresses : undefined;
  }

  private tell(): void {
    if (this.told || !this.initialized()) return;
    this.told = true;
    this.reminder?.cancel();
    this.logger.info('The cloud provider has initialized the node', {
      node: this.config.nodeName,
      providerID: this.node.current()?.spec?.providerID ?? '',
      addresses: this.node.current()?.status?.addresses ?? [],
    });
  }

  private remind(): void {
    if (!this.initialized()) this.logger.warn(this.missing(), { node: this.config.nodeName });
  }

  private missing(): string {
    const { nodeName, timeoutMs } = this.config;
    const within = `within ${Math.round(timeoutMs / 1_000)} s`;
    if (this.node.current() === undefined) {
      return `node ${nodeName} was not registered ${within}, so no cloud provider could initialize it`;
    }
    return (
      `no cloud provider has initialized node ${nodeName} ${within}: is the cloud controller manager running, and does it know ` +
      `an instance of this name or provider ID? No ordinary pod is scheduled here while the taint ${taintKey} is on the node ` +
      `(kubectl describe node ${nodeName})`
    );
  }
}

const isTainted = ({ spec }: Node): boolean => spec?.taints?.some(({ key }) => key === taintKey) ?? false;

export interface WatchedCloudResourcesDeps {
  readonly node: Pick<RegisteredNode, 'current' | 'watch'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export function createWatchedCloudResources(
  { node, clock, logger }: WatchedCloudResourcesDeps,
  options: Partial<WatchedCloudResourcesConfig> & Pick<WatchedCloudResourcesConfig, 'nodeName'>,
): CloudResourceSync {
  const config = decodeOptions('cloud-resource-sync', watchedCloudResourcesConfigSchema, options);
  return new WatchedCloudResources(node, clock, logger, config);
}
