import { CLOCK, decodeOptions, METRICS, type Health } from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME, type ContainerRuntime } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Counter, MetricsRegistry } from '@podwright/metrics';
import type { RunRequest, Streaming, StreamSession, UpgradeRequest } from '@podwright/streaming-interface';
import { onAbort, type Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import type { StreamingUrl } from './proxy/streaming-url.js';
import { proxyTransparently, type SessionOptions } from './proxy/transparent-proxy.js';
import { runCommand } from './run-command.js';
import {
  RUNTIME_STREAMING_CONFIG,
  runtimeStreamingConfigSchema,
  type RuntimeStreamingConfig,
} from './runtime-streaming-config.js';
import { sessionUrl } from './session-url.js';
import { tunnelledProtocols, tunnelPortForward } from './translation/port-forward-tunnel.js';
import { translatedProtocol, translateStreams } from './translation/stream-translator.js';
import { isWebSocketRequest, offeredProtocols } from './websocket/accept-upgrade.js';

type StreamingRuntime = Pick<RuntimeService, 'exec' | 'attach' | 'portForward' | 'execSync'>;
type Pods = Pick<ContainerRuntime, 'getPods'>;

/**
 * {@link Streaming} by the runtime's own streaming server: bytes are joined as they are, and only the newest WebSocket protocols
 * are translated. It keeps nothing but its sessions. Source: kubernetes v1.36 pkg/kubelet/server/server.go.
 */
@injectable()
export class RuntimeStreaming implements Streaming {
  private readonly stopping = new AbortController();
  private readonly sessions = new Set<Promise<void>>();
  private readonly webSocketRequests: Counter;

  constructor(
    @inject(CONTAINER_RUNTIME) private readonly pods: Pods,
    @inject(RUNTIME_SERVICE) private readonly runtime: StreamingRuntime,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(RUNTIME_STREAMING_CONFIG) private readonly config: RuntimeStreamingConfig,
  ) {
    this.webSocketRequests = metrics.counter({
      name: 'kubelet_websocket_streaming_requests_total',
      help: 'Total number of WebSocket streaming requests (exec/attach/portforward) received by the kubelet.',
      labels: ['subresource'],
    });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the kubelet is stopping', { code: 'unavailable' }));
    await Promise.allSettled(this.sessions);
  }

  healthy(): Health {
    return this.stopping.signal.aborted ? { ok: false, reason: 'streaming is stopped' } : { ok: true };
  }

  async serve(session: StreamSession, request: UpgradeRequest, signal: AbortSignal): Promise<void> {
    this.stopping.signal.throwIfAborted();
    if (this.sessions.size >= this.config.maxSessions) {
      throw new KubeletError('maximum number of in-flight requests exceeded', { code: 'resource-exhausted' });
    }
    const served = this.untilStopped(signal, (either) => this.serveUntil(session, request, either));
    this.sessions.add(served);
    try {
      await served;
    } finally {
      this.sessions.delete(served);
    }
  }

  run(request: RunRequest): Promise<Uint8Array> {
    return this.untilStopped(request.signal, (signal) => runCommand({ ...request, signal }, this.pods, this.runtime));
  }

  // AbortSignal.any would leave something behind on the stop signal for each session.
  private async untilStopped<T>(signal: AbortSignal, task: (either: AbortSignal) => Promise<T>): Promise<T> {
    const either = new AbortController();
    const sources = [signal, this.stopping.signal];
    const unsubscribes = sources.map((source) => onAbort(source, () => either.abort(source.reason)));
    const aborted = sources.find((source) => source.aborted);
    if (aborted !== undefined) either.abort(aborted.reason);
    try {
      return await task(either.signal);
    } finally {
      unsubscribes.forEach((unsubscribe) => unsubscribe());
    }
  }

  private async serveUntil(session: StreamSession, request: UpgradeRequest, signal: AbortSignal): Promise<void> {
    // Nobody else listens to a connection that was handed over, and its end is noticed where it is read.
    request.socket.on('error', () => undefined);
    signal.throwIfAborted();
    const url = await sessionUrl(session, this.pods, this.runtime, signal);
    await this.join(session, request, url, { ...this.config, clock: this.clock, signal });
  }

  private join(
    session: StreamSession,
    request: UpgradeRequest,
    url: StreamingUrl,
    options: SessionOptions,
  ): Promise<void> {
    const { kind } = session;
    if (!this.config.extendWebSockets || !isWebSocketRequest(request)) return proxyTransparently(request, url, options);
    if (kind === 'portforward' && tunnelledProtocols(request).length > 0) {
      this.webSocketRequests.increment({ subresource: kind });
      return tunnelPortForward(request, url, options);
    }
    if (kind !== 'portforward' && offeredProtocols(request).includes(translatedProtocol)) {
      this.webSocketRequests.increment({ subresource: kind });
      return translateStreams(session, request, url, options);
    }
    return proxyTransparently(request, url, options);
  }
}

export interface RuntimeStreamingDeps {
  readonly pods: Pods;
  readonly runtime: StreamingRuntime;
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createRuntimeStreaming(
  { pods, runtime, clock, metrics }: RuntimeStreamingDeps,
  options: Partial<RuntimeStreamingConfig> = {},
): RuntimeStreaming {
  return new RuntimeStreaming(
    pods,
    runtime,
    clock,
    metrics,
    decodeOptions('streaming', runtimeStreamingConfigSchema, options),
  );
}
