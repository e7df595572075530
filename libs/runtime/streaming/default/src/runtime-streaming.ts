import { CLOCK, METRICS, needs, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Counter } from '@podwright/metrics';
import type { RunRequest, Streaming, StreamSession, UpgradeRequest } from '@podwright/streaming-interface';
import { withLinkedSignal } from '@podwright/time';
import { ProxyError } from './proxy/proxy-error.js';
import type { StreamingUrl } from './proxy/streaming-url.js';
import { proxyTransparently, type SessionOptions } from './proxy/transparent-proxy.js';
import { runCommand } from './run-command.js';
import type { RuntimeStreamingConfig } from './runtime-streaming-config.js';
import { sessionUrl } from './session-url.js';
import { tunnelledProtocols, tunnelPortForward } from './translation/port-forward-tunnel.js';
import { translatedProtocol, translateStreams } from './translation/stream-translator.js';
import { isWebSocketRequest, offeredProtocols } from './websocket/accept-upgrade.js';

export const runtimeStreamingNeeds = needs({
  pods: pick(CONTAINER_RUNTIME, 'getPods'),
  runtime: pick(RUNTIME_SERVICE, 'exec', 'attach', 'portForward', 'execSync'),
  clock: CLOCK,
  metrics: METRICS,
});
export type RuntimeStreamingNeeds = Needs<typeof runtimeStreamingNeeds>;

/**
 * {@link Streaming} that connects clients to the runtime's own streaming server. It forwards bytes unchanged and
 * translates only the newest WebSocket protocols to SPDY. Source: kubernetes v1.36 pkg/kubelet/server/server.go.
 */
export class RuntimeStreaming implements Streaming {
  private readonly stopping = new AbortController();
  private readonly sessions = new Set<Promise<void>>();
  private readonly webSocketRequests: Counter;

  constructor(
    private readonly deps: RuntimeStreamingNeeds,
    private readonly config: RuntimeStreamingConfig,
  ) {
    this.webSocketRequests = deps.metrics.counter({
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

  async prepare(session: StreamSession, signal: AbortSignal): Promise<void> {
    this.stopping.signal.throwIfAborted();
    const { pods, runtime } = this.deps;
    await this.untilStopped(signal, (either) => sessionUrl(session, pods, runtime, either));
  }

  run(request: RunRequest): Promise<Uint8Array> {
    return this.untilStopped(request.signal, (signal) =>
      runCommand({ ...request, signal }, this.deps.pods, this.deps.runtime),
    );
  }

  private untilStopped<T>(signal: AbortSignal, task: (either: AbortSignal) => Promise<T>): Promise<T> {
    return withLinkedSignal([signal, this.stopping.signal], task);
  }

  private async serveUntil(session: StreamSession, request: UpgradeRequest, signal: AbortSignal): Promise<void> {
    // Without a listener, an error of the upgraded connection would end the process. Its readers notice the end
    // themselves.
    request.socket.on('error', () => undefined);
    signal.throwIfAborted();
    const url = await sessionUrl(session, this.deps.pods, this.deps.runtime, signal);
    try {
      await this.join(session, request, url, { ...this.config, clock: this.deps.clock, signal });
    } catch (error) {
      throw signal.aborted ? error : ProxyError.from(error);
    }
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
