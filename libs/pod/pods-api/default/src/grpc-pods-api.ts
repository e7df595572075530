import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { CLOCK, LOGGER, METRICS, needs, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { RateLimit } from '@podwright/concurrency';
import { KubeletError, messageOf } from '@podwright/errors';
import { grpcStatus, SocketServer, StatusError } from '@podwright/grpc';
import { podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import type { Counter, MetricsRegistry } from '@podwright/metrics';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import type { PodsApi } from '@podwright/pods-api-interface';
import { STATUS_MANAGER, type StatusChange } from '@podwright/status-interface';
import { podsMethods as methods } from './generated/server-codecs.js';
import type { GrpcPodsApiConfig } from './grpc-pods-api-config.js';
import { PodWatcher, type PodEvent, type WatchStream } from './pod-watcher.js';

export const podsApiNeeds = needs({
  pods: pick(POD_MANAGER, 'getPods', 'getPodByUid'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus', 'watch'),
  clock: CLOCK,
  metrics: METRICS,
  logger: LOGGER,
});

type EncodePod = (pod: Pod) => Uint8Array;

/** {@link PodsApi} over gRPC. */
export class GrpcPodsApi implements PodsApi {
  private readonly server: SocketServer;
  private readonly limit: RateLimit;
  private readonly dropped: Counter;
  private readonly watchers = new Set<PodWatcher>();
  private encode: EncodePod = () => {
    throw new KubeletError('the Pods API is not started', { code: 'failed-precondition' });
  };
  private unwatch: () => void = () => undefined;

  constructor(
    private readonly deps: Needs<typeof podsApiNeeds>,
    private readonly config: GrpcPodsApiConfig,
  ) {
    this.limit = new RateLimit(deps.clock, config.qps, config.burst);
    this.dropped = droppedPodEvents(deps.metrics);
    this.server = new SocketServer(config.socket);
    this.server.unary(methods.listPods, () => this.limited(() => ({ pods: this.sorted().map(this.encode) })));
    this.server.unary(methods.getPod, ({ podUID }) => this.limited(() => ({ pod: this.encode(this.find(podUID)) })));
    this.server.stream(methods.watchPods, (stream) => this.watch(stream));
  }

  get socket(): string {
    return this.config.socket;
  }

  async start(): Promise<void> {
    const { socket, deps } = this;
    // The table of the encoding is large, and only this socket needs it.
    const { encodeMessage } = await import('@podwright/kube-protobuf');
    this.encode = (pod) => encodeMessage('core.v1.Pod', pod as unknown as Readonly<Record<string, unknown>>);
    this.unwatch();
    this.unwatch = deps.statuses.watch((_uid, now, change) => this.tell(now, change));
    try {
      await mkdir(path.dirname(socket), { recursive: true, mode: 0o750 });
      await this.server.listen();
    } catch (error) {
      const message = `cannot serve the Pods API on ${socket}: ${messageOf(error)}; look whether its folder can be made and whether another kubelet has the socket`;
      throw new KubeletError(message, { code: 'unavailable', cause: error });
    }
    deps.logger.info('Starting to serve the pods API', { endpoint: socket });
  }

  async stop(): Promise<void> {
    this.unwatch();
    // Answers come from memory, so no call in progress is worth waiting for.
    this.server.close();
    this.watchers.clear();
  }

  healthy(): Health {
    return this.server.listening ? { ok: true } : { ok: false, reason: 'the Pods API socket is closed' };
  }

  private limited<Answer>(answer: () => Answer): Answer {
    if (!this.limit.allow()) throw new StatusError(grpcStatus.RESOURCE_EXHAUSTED, 'rejected by rate limit');
    return answer();
  }

  private sorted(): Pod[] {
    const pods = this.deps.pods.getPods().map((pod) => this.withStatus(pod));
    return pods.sort((left, right) => (podUid(left) < podUid(right) ? -1 : 1));
  }

  private find(uid: string): Pod {
    const pod = this.deps.pods.getPodByUid(uid);
    if (pod === undefined) throw new StatusError(grpcStatus.NOT_FOUND, `pod with UID ${uid} not found`);
    return this.withStatus(pod);
  }

  private withStatus(pod: Pod, now = this.deps.statuses.getPodStatus(podUid(pod))): Pod {
    return now === undefined ? pod : { ...pod, status: now };
  }

  private watch(stream: WatchStream): void {
    const { maxWatches } = this.config;
    if (this.watchers.size >= maxWatches) {
      const message = `the kubelet serves at most ${maxWatches} pod watches at once; end one of them, or raise maxWatches of @podwright/pods-api`;
      throw new StatusError(grpcStatus.RESOURCE_EXHAUSTED, message);
    }
    const watcher = new PodWatcher(stream, this.sorted(), this.encode);
    this.watchers.add(watcher);
    // One that was cut off counts until its client has read the rest, or has gone.
    stream.once('cancelled', () => this.watchers.delete(watcher));
    watcher.send();
  }

  private tell(now: PodStatus, { pod, ended }: StatusChange): void {
    if (this.watchers.size === 0) return;
    const { name, namespace, uid = '' } = pod.metadata;
    const shown = ended ? { metadata: { name, namespace, uid } } : this.withStatus(pod, now);
    const event: PodEvent = { podUid: uid, pod: this.encode(shown as Pod), ended };
    for (const watcher of this.watchers) {
      if (watcher.offer(event, this.config.maxPendingEvents)) continue;
      this.deps.logger.info('A client of the Pods API reads too slowly, its watch ends', {
        pendingEvents: this.config.maxPendingEvents,
      });
      this.dropped.increment();
    }
  }
}

/** Registers the metric of {@link GrpcPodsApi}. Upstream's is there also where nothing serves the Pods API. */
export const droppedPodEvents = (metrics: Pick<MetricsRegistry, 'counter'>): Counter =>
  metrics.counter({
    name: 'kubelet_pod_watch_events_dropped_total',
    help: 'Cumulative number of pod watch events dropped.',
  });
