import { CLOCK, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import type { CloudResourceSync } from '@podwright/cloud-resource-sync-interface';
import { KubeletError } from '@podwright/errors';
import type { Node, NodeAddress } from '@podwright/kube-types';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { onAbort, type Timer } from '@podwright/time';
import type { WatchedCloudResourcesConfig } from './watched-cloud-resources-config.js';

const taintKey = 'node.cloudprovider.kubernetes.io/uninitialized';

export const watchedCloudResourcesNeeds = needs({
  node: pick(REGISTERED_NODE, 'current', 'watch'),
  clock: CLOCK,
  logger: LOGGER,
});
export type WatchedCloudResourcesNeeds = Needs<typeof watchedCloudResourcesNeeds>;

/**
 * {@link CloudResourceSync} that watches the Node: the provider has answered when its taint is gone, or when there is
 * an address other than a plain host name. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go NodeAddress (the
 * kubelet itself no longer asks a cloud).
 */
export class WatchedCloudResources implements CloudResourceSync {
  private readonly stopping = new AbortController();
  private unsubscribe: () => void = () => undefined;
  private reminder: Timer | undefined;
  private told = false;

  constructor(
    private readonly deps: WatchedCloudResourcesNeeds,
    private readonly config: WatchedCloudResourcesConfig,
  ) {}

  async start(): Promise<void> {
    const { externalCloudProvider, timeoutMs } = this.config;
    if (!externalCloudProvider || this.reminder !== undefined || this.stopping.signal.aborted) return;
    this.reminder = this.deps.clock.setTimer(timeoutMs, () => this.remind());
    this.unsubscribe = this.deps.node.watch(() => this.tell());
    this.tell();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the kubelet stops', { code: 'cancelled' }));
    this.reminder?.cancel();
    this.unsubscribe();
  }

  initialized(): boolean {
    const node = this.deps.node.current();
    return node !== undefined && !isTainted(node);
  }

  nodeAddresses(signal: AbortSignal): Promise<readonly NodeAddress[]> {
    return new Promise((resolve, reject) => {
      const ends: (() => void)[] = [];
      const end = (settle: () => void): void => {
        for (const cleanUp of ends) cleanUp();
        settle();
      };
      const check = (): void => {
        const found = this.answer();
        if (found !== undefined) end(() => resolve(found));
      };
      const refuse = (reason: unknown): void => end(() => reject(reason as Error));
      for (const stop of [signal, this.stopping.signal]) {
        if (stop.aborted) return refuse(stop.reason);
        ends.push(onAbort(stop, () => refuse(stop.reason)));
      }
      const timer = this.deps.clock.setTimer(this.config.timeoutMs, () =>
        refuse(new KubeletError(this.missing(), { code: 'unavailable' })),
      );
      ends.push(
        () => timer.cancel(),
        this.deps.node.watch(() => check()),
      );
      check();
    });
  }

  private answer(): readonly NodeAddress[] | undefined {
    const node = this.deps.node.current();
    const addresses = node?.status?.addresses ?? [];
    if (node === undefined || addresses.length === 0) return undefined;
    if (!this.config.externalCloudProvider || !isTainted(node)) return addresses;
    return addresses.some(({ type }) => type === 'InternalIP' || type === 'ExternalIP') ? addresses : undefined;
  }

  private tell(): void {
    if (this.told || !this.initialized()) return;
    this.told = true;
    this.reminder?.cancel();
    this.deps.logger.info('The cloud provider has initialized the node', {
      node: this.config.nodeName,
      providerID: this.deps.node.current()?.spec?.providerID ?? '',
      addresses: this.deps.node.current()?.status?.addresses ?? [],
    });
  }

  private remind(): void {
    if (!this.initialized()) this.deps.logger.warn(this.missing(), { node: this.config.nodeName });
  }

  private missing(): string {
    const { nodeName, timeoutMs } = this.config;
    const within = `within ${Math.round(timeoutMs / 1_000)} s`;
    if (this.deps.node.current() === undefined) {
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
