import { CLOCK, LOGGER, needs, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import type { ClusterTrustBundles } from '@podwright/cluster-trust-bundle-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT, type Informer } from '@podwright/kube-client-interface';
import { matchesLabelSelector, type LabelSelector } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { AnchorCache, type AnchorQuery } from './anchor-cache.js';
import { findBundleResource, slimBundle, type ClusterTrustBundle } from './bundle-resource.js';
import type { ClusterTrustBundlesConfig } from './informed-cluster-trust-bundles-config.js';
import { normalizeAnchors } from './normalize-anchors.js';
import { notSupported } from './not-supported.js';
import { selectorText } from './selector-text.js';

const firstListTimeoutMs = 10_000;
const maxSelectorLength = 100 * 1024;

export const apiClusterTrustBundleNeeds = needs({
  client: pick(KUBE_CLIENT, 'getText', 'inform'),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
});
export type ApiClusterTrustBundleNeeds = Needs<typeof apiClusterTrustBundleNeeds>;

/**
 * {@link ClusterTrustBundles} from an informer, which starts with the first request: most nodes never make one, and the
 * API server may be a static pod of this node. Source: kubernetes v1.36 pkg/kubelet/clustertrustbundle.
 */
export class InformedClusterTrustBundles implements ClusterTrustBundles {
  private readonly logger: Logger;
  private readonly cache: AnchorCache;
  private readonly stopping = new AbortController();
  private beginning: Promise<Informer<ClusterTrustBundle> | undefined> | undefined;

  constructor(
    private readonly deps: ApiClusterTrustBundleNeeds,
    private readonly config: ClusterTrustBundlesConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'cluster-trust-bundle' });
    this.cache = new AnchorCache(deps.clock, config.cacheEntries);
  }

  async start(): Promise<void> {
    // The first request starts the informer.
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const informer = await this.beginning?.catch(() => undefined);
    await informer?.stop();
  }

  async byName(name: string, allowMissing: boolean): Promise<string> {
    const informer = await this.informer();
    const query = { name };
    const cached = this.cache.get(query);
    if (cached !== undefined) return cached;
    const bundle = informer.get('', name);
    if (bundle !== undefined) return this.answer(query, [bundle]);
    if (allowMissing) return '';
    const message = `while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io "${name}" not found`;
    throw new KubeletError(message, { code: 'not-found' });
  }

  async bySigner(signerName: string, labelSelector: LabelSelector | undefined, allowMissing: boolean): Promise<string> {
    const informer = await this.informer();
    const selector = selectorText(labelSelector);
    const length = Buffer.byteLength(selector);
    if (length > maxSelectorLength) {
      const message = `label selector length (${length}) is larger than ${maxSelectorLength}`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    const query = { signerName, selector };
    const cached = this.cache.get(query);
    if (cached !== undefined) return cached;
    const bundles = informer
      .list()
      .filter(({ spec }) => spec.signerName === signerName)
      .filter(({ metadata }) => matchesLabelSelector(labelSelector, metadata?.labels));
    if (bundles.length > 0) return this.answer(query, bundles);
    if (allowMissing) return '';
    throw new KubeletError('combination of signerName and labelSelector matched zero ClusterTrustBundles', {
      code: 'not-found',
    });
  }

  private answer(query: AnchorQuery, bundles: readonly ClusterTrustBundle[]): string {
    const texts = bundles.map(({ spec }) => spec.trustBundle ?? '');
    const anchors = normalizeAnchors(texts, this.deps.random);
    this.cache.add(query, anchors);
    return anchors;
  }

  private async informer(): Promise<Informer<ClusterTrustBundle>> {
    if (!this.config.enabled || this.stopping.signal.aborted) throw notSupported();
    // After a failed start, the next request tries again.
    this.beginning ??= this.begin().catch((error: unknown) => {
      this.beginning = undefined;
      throw error;
    });
    const informer = await this.beginning;
    if (informer === undefined) throw notSupported();
    if (informer.hasSynced()) return informer;
    throw new KubeletError('ClusterTrustBundle informer has not yet synced', { code: 'unavailable' });
  }

  private async begin(): Promise<Informer<ClusterTrustBundle> | undefined> {
    const { signal } = this.stopping;
    const resource = await findBundleResource(this.deps.client, signal).catch((cause: unknown) => {
      const reason = `failed to determine which informer manager to choose: ${messageOf(cause)}`;
      throw new KubeletError(`failed to ensure informer manager for ClusterTrustBundles: ${reason}`, {
        code: KubeletError.from(cause).code,
        cause,
      });
    });
    if (resource === undefined) {
      this.logger.info(
        "No version of the ClusterTrustBundle API was found, the ClusterTrustBundle informer won't be started",
      );
      return undefined;
    }
    const informer = this.deps.client.inform(resource, { transform: slimBundle });
    informer.watch((change) => {
      if (change.type !== 'replaced') this.forget(change.object);
      if (change.type === 'updated') this.forget(change.old);
    });
    informer.start();
    this.logger.info('Started ClusterTrustBundle informer', { apiGroup: `${resource.group}/${resource.version}` });
    await this.firstList(informer);
    return informer;
  }

  private async firstList(informer: Informer<ClusterTrustBundle>): Promise<void> {
    const deadline = this.deps.clock.deadline(firstListTimeoutMs, this.stopping.signal);
    try {
      await informer.synced(deadline.signal);
    } catch (error) {
      this.logger.info('ClusterTrustBundle informer not synced, continuing to attempt in background', { error });
    } finally {
      deadline.dispose();
    }
  }

  private forget({ metadata, spec }: ClusterTrustBundle): void {
    this.cache.drop(metadata?.name ?? '', spec.signerName ?? '');
  }
}
