import { CLOCK, LOGGER, METRICS, needs, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import { Gate, KeyedLanes, WorkQueue } from '@podwright/concurrency';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { KUBE_CLIENT, podCertificateRequests, type Informer } from '@podwright/kube-client-interface';
import { podUid, type Pod, type PodCertificateRequest } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Sample } from '@podwright/metrics';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import type { CredentialBundle, PodCertificates } from '@podwright/pod-certificate-interface';
import { jitter, namedRandom } from '@podwright/time';
import { CertificateIssuance } from './certificate-issuance.js';
import { sendRequest } from './certificate-requests.js';
import { certificateSources, sourceKey } from './certificate-source.js';
import { bundleOf, metricState } from './certificate-state.js';
import type { IssuingPodCertificatesConfig } from './issuing-pod-certificates-config.js';
import { noCredentials, unimplemented } from './no-credentials.js';

// Upstream's delays after failures: 5 ms, twice that, and so on. The regular check comes before the last ones.
const firstRetryMs = 5;
const lastRetryMs = 1_000_000;
/** Slow keys and slow answers of the API server hold up this many certificates at most. */
const atATime = 4;

export const issuingPodCertificatesNeeds = needs({
  client: pick(KUBE_CLIENT, 'get', 'create', 'inform'),
  nodeSource: pick(NODE_SOURCE, 'getNode'),
  events: EVENT_RECORDER,
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
});
export type IssuingPodCertificatesNeeds = Needs<typeof issuingPodCertificatesNeeds>;

interface Tracked {
  readonly issuance: CertificateIssuance;
  /** How often in a row it could not advance. */
  failures: number;
}

/**
 * {@link PodCertificates} from the PodCertificateRequest API: one request at a time for each source of a tracked pod.
 * Source: kubernetes v1.36 pkg/kubelet/podcertificate/podcertificatemanager.go IssuingManager.
 */
export class IssuingPodCertificates implements PodCertificates {
  /** By source; the pods' UIDs lead to the sources. */
  private readonly tracked = new Map<string, Tracked>();
  private readonly keysByPod = new Map<string, readonly string[]>();
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly gate = new Gate({ places: atATime, maxWaiting: Infinity });
  // As many keys as there are sources in the tracked pods.
  private readonly lanes = new KeyedLanes<string, true>({
    run: (key) => this.advance(key),
    onError: (key, error) => this.retry(key, error),
    maxLanes: Infinity,
  });
  private readonly retries: WorkQueue<string>;
  private informer: Informer<PodCertificateRequest> | undefined;
  private isReady = false;
  private checking: Promise<void> = Promise.resolve();
  private readonly unwatch: (() => void)[] = [];

  constructor(
    private readonly deps: IssuingPodCertificatesNeeds,
    private readonly config: IssuingPodCertificatesConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'pod-certificate' });
    this.retries = new WorkQueue({ clock: deps.clock, maxKeys: Infinity });
  }

  async start(): Promise<void> {
    if (!this.config.enabled) return;
    const informer = this.deps.client.inform(podCertificateRequests, {
      fieldSelector: `spec.nodeName=${this.config.nodeName}`,
      transform: withoutRequest,
    });
    this.informer = informer;
    this.unwatch.push(
      this.deps.metrics.computed({
        name: 'kubelet_podcertificate_states',
        type: 'gauge',
        help: 'Gauge vector reporting the number of pod certificate projected volume sources, faceted by signer_name and state.',
        labels: ['signer_name', 'state'],
        stability: 'ALPHA',
        collect: () => this.samples(),
      }),
      informer.watch((change) => {
        if (change.type !== 'replaced') this.wakePod(change.object.spec.podUID);
      }),
      this.retries.watch((key) => this.wake(key)),
    );
    informer.start();
    this.checking = this.check(informer);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const unwatch of this.unwatch.splice(0)) unwatch();
    this.retries.clear();
    await this.lanes.stop();
    await this.checking;
    await this.informer?.stop();
    this.tracked.clear();
    this.keysByPod.clear();
  }

  trackPod(pod: Pod): void {
    const uid = podUid(pod);
    if (!this.config.enabled || this.keysByPod.has(uid)) return;
    const sources = certificateSources(pod);
    if (sources.length === 0) return;
    for (const source of sources) {
      const { clock, random, events } = this.deps;
      const issuance = new CertificateIssuance(
        {
          ...{ clock, random, events, logger: this.logger, maxJitterMs: this.config.maxJitterMs },
          requests: { get: (...name) => this.informer?.get(...name) },
          send: (...what) => this.send(...what),
        },
        source,
      );
      this.tracked.set(sourceKey(source), { issuance, failures: 0 });
    }
    this.keysByPod.set(uid, sources.map(sourceKey));
    this.wakePod(uid);
  }

  forgetPod(podUid: string): void {
    for (const key of this.keysByPod.get(podUid) ?? []) {
      this.tracked.delete(key);
      this.retries.delete(key);
      this.lanes.cancelPending(key);
    }
    this.keysByPod.delete(podUid);
  }

  credentialBundle(pod: Pod, volumeName: string, sourceIndex: number): CredentialBundle {
    if (!this.config.enabled) throw unimplemented();
    const key = sourceKey({ pod, volumeName, sourceIndex });
    const tracked = this.tracked.get(key);
    if (tracked === undefined) throw noCredentials(key);
    const { privateKey, certificateChain } = bundleOf(tracked.issuance.state);
    return { privateKey, certificateChain };
  }

  /** Nothing is requested before the first list: only the watch shows what becomes of a request. */
  private async check(informer: Informer<PodCertificateRequest>): Promise<void> {
    const { signal } = this.stopping;
    const { clock, random } = this.deps;
    try {
      await informer.synced(signal);
      this.isReady = true;
      for (;;) {
        for (const key of this.tracked.keys()) this.wake(key);
        await clock.sleep(jitter(namedRandom(random, 'pod-certificates'), this.config.checkPeriodMs, 1), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private wakePod(uid: string): void {
    for (const key of this.keysByPod.get(uid) ?? []) this.wake(key);
  }

  private wake(key: string): void {
    if (this.isReady && !this.stopping.signal.aborted) this.lanes.submit(key, true);
  }

  private async advance(key: string): Promise<void> {
    const { signal } = this.stopping;
    await this.gate.run(
      async () => {
        const tracked = this.tracked.get(key);
        if (tracked === undefined) return;
        await tracked.issuance.advance(signal);
        tracked.failures = 0;
        this.retries.delete(key);
      },
      { signal },
    );
  }

  private retry(key: string, error: unknown): void {
    const tracked = this.tracked.get(key);
    if (tracked === undefined || this.stopping.signal.aborted) return;
    this.logger.warn('while handling podCertificate projected volume source', { key, error });
    this.retries.enqueue(key, Math.min(firstRetryMs * 2 ** tracked.failures, lastRetryMs));
    tracked.failures += 1;
  }

  private send(...[source, purpose, signal]: Parameters<ConstructorParameters<typeof CertificateIssuance>[0]['send']>) {
    return sendRequest(this.deps, this.config.nodeName, source, purpose, signal);
  }

  private *samples(): Generator<Sample> {
    const counts = new Map<string, { readonly labels: Record<string, string>; value: number }>();
    const nowMs = this.deps.clock.now();
    for (const { issuance } of this.tracked.values()) {
      const { signerName } = issuance.source.projection;
      const labels = { signer_name: signerName, state: metricState(issuance.state, nowMs) };
      const key = JSON.stringify(labels);
      const count = counts.get(key) ?? { labels, value: 0 };
      count.value += 1;
      counts.set(key, count);
    }
    yield* counts.values();
  }
}

/** The key and its proof fill most of a request; nobody reads them from the store. */
function withoutRequest(request: PodCertificateRequest): PodCertificateRequest {
  const { stubPKCS10Request: _unread, ...spec } = request.spec;
  return { ...request, spec };
}
