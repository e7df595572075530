import { connect } from 'node:net';
import { Client, connectivityState, credentials, Metadata, type ClientOptions } from '@grpc/grpc-js';
import { KubeletError } from '@podwright/errors';
import { ClientCalls, type ClientCallOptions, type GrpcMethod } from '@podwright/grpc';
import type { Clock } from '@podwright/time';
import type { Tracer } from '@podwright/tracing-interface';

export interface ChannelCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** 0 = none. */
  readonly timeoutMs: number;
}

// Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/remote_runtime.go.
const channelOptions: ClientOptions = {
  'grpc.default_authority': 'localhost',
  'grpc.max_receive_message_length': 16 * 1024 * 1024,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 3000,
  // The callers retry in their loops. A second layer below them would hide failures and hold every request in memory.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
  // Channelz costs time on every call, and nothing reads its data.
  'grpc.enable_channelz': 0,
  // By default, channels to one address share a connection. The image service must have its own, and a new channel must
  // not inherit the back-off of the old one.
  'grpc.use_local_subchannel_pool': 1,
};

// Long enough for any local connect; upstream's minimum connect timeout.
const probeTimeoutMs = 5000;

/**
 * One gRPC connection to a unix socket. It reconnects by itself: the next call opens a lost connection again. gRPC's
 * own back-off (up to 3 s) would fail calls after the runtime is back. So a call that meets a failed channel first
 * probes the socket, which is cheap locally, and uses a new channel when the socket accepts.
 */
export class RuntimeChannel {
  private client: Client | undefined;
  private reviving: Promise<void> | undefined;
  private closed = false;
  private readonly calls: ClientCalls;

  constructor(
    readonly socketPath: string,
    private readonly clock: Clock,
    private readonly tracer?: Tracer,
  ) {
    this.calls = new ClientCalls(() => this.usableClient(), clock);
  }

  unary<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: Request,
    options: ChannelCallOptions,
  ): Promise<Response> {
    const { tracer } = this;
    const call = this.callOptions(options);
    if (tracer === undefined) return this.calls.unary(method, request, call);
    return tracer.trace(method.path.slice(1), { kind: 'client', attributes: spanAttributes(method.path) }, () =>
      this.calls.unary(method, request, { ...call, metadata: Metadata.fromHttp2Headers(tracer.propagation()) }),
    );
  }

  /** Reads only as fast as the loop takes messages; leaving the loop cancels the call. */
  stream<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: Request,
    options: ChannelCallOptions,
  ): AsyncGenerator<Response, void, undefined> {
    return this.calls.stream(method, request, this.callOptions(options));
  }

  /** Resolves when the socket accepts a connection; rejects with the system's error (ENOENT, EACCES, ECONNREFUSED). */
  async probe(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(this.socketPath);
      const timer = this.clock.setTimer(probeTimeoutMs, () => {
        socket.destroy();
        reject(new KubeletError(`no connection within ${probeTimeoutMs} ms`, { code: 'deadline-exceeded' }));
      });
      const settle = (end: () => void) => (): void => {
        timer.cancel();
        socket.destroy();
        end();
      };
      socket.once('connect', settle(resolve));
      socket.once('error', (error) => settle(() => reject(error))());
    });
  }

  /** Closes the connection; calls in flight and later calls end with `cancelled`. */
  close(): void {
    this.closed = true;
    this.calls.cancelAll();
    this.client?.close();
    this.client = undefined;
  }

  // Clock.deadline would need a second timer and controller for each call, and the runtime would not learn the
  // deadline.
  private callOptions({ signal, timeoutMs }: ChannelCallOptions): ClientCallOptions {
    return { signal, ...(timeoutMs > 0 && { deadlineMs: this.clock.now() + timeoutMs }) };
  }

  private usableClient(): Client | Promise<Client> {
    if (this.closed) throw new KubeletError('the connection to the runtime is closed', { code: 'cancelled' });
    this.client ??= this.open();
    if (this.client.getChannel().getConnectivityState(false) !== connectivityState.TRANSIENT_FAILURE)
      return this.client;
    this.reviving ??= this.revive().finally(() => (this.reviving = undefined));
    return this.reviving.then(() => this.usableAfterRevival());
  }

  private usableAfterRevival(): Client {
    if (this.closed) throw new KubeletError('the connection to the runtime is closed', { code: 'cancelled' });
    return (this.client ??= this.open());
  }

  private async revive(): Promise<void> {
    try {
      await this.probe();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new KubeletError(`connection error: desc = "transport: Error while dialing: ${reason}"`, {
        code: 'unavailable',
        cause: error,
      });
    }
    this.client?.close();
    this.client = undefined;
  }

  private open(): Client {
    return new Client(`unix:${this.socketPath}`, credentials.createInsecure(), channelOptions);
  }
}

// Names from OpenTelemetry's semantic conventions for RPCs.
function spanAttributes(path: string): Readonly<Record<string, string>> {
  const [, service = '', method = ''] = path.split('/');
  return { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
}
