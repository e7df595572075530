import { connect } from 'node:net';
import { Client, connectivityState, credentials, Metadata, type ClientOptions } from '@grpc/grpc-js';
import { KubeletError } from '@podwright/errors';
import { onAbort, type Clock } from '@podwright/time';
import type { Tracer } from '@podwright/tracing-interface';
import { fromAbort, fromServiceError, isServiceError } from './grpc-error.js';

export interface RuntimeMethod<Request, Response> {
  readonly path: string;
  encode(request: Request): Buffer;
  decode(bytes: Buffer): Response;
}

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
  // The calling loops retry; a second layer below them would hide what happened and hold every request in memory.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
  // Its bookkeeping costs on every call and nothing reads it.
  'grpc.enable_channelz': 0,
  // Channels to one address share their connection by default: the image connection must be its own, and a channel made
  // anew must not inherit the back-off of the old one.
  'grpc.use_local_subchannel_pool': 1,
};

// Enough for any local connect; upstream's minimum connect timeout.
const probeTimeoutMs = 5000;

/**
 * One gRPC connection to a unix socket. Heals itself: a lost connection is made anew by the next call. gRPC's own
 * back-off (up to 3 s) would let calls fail after the runtime is back; so a call that meets a failed channel looks
 * whether the socket accepts, which costs nothing on a local socket, and if so goes out on a new channel at once.
 */
export class RuntimeChannel {
  private client: Client | undefined;
  private reviving: Promise<void> | undefined;
  private closed = false;
  private readonly metadata = new Metadata();
  private readonly calls = new Set<{ cancel(): void }>();

  constructor(
    readonly socketPath: string,
    private readonly clock: Clock,
    private readonly tracer?: Tracer,
  ) {}

  unary<Request, Response>(
    method: RuntimeMethod<Request, Response>,
    request: Request,
    options: ChannelCallOptions,
  ): Promise<Response> {
    const { tracer } = this;
    if (tracer === undefined) return this.call(method, request, options, this.metadata);
    return tracer.trace(method.path.slice(1), { kind: 'client', attributes: spanAttributes(method.path) }, () =>
      this.call(method, request, options, Metadata.fromHttp2Headers(tracer.propagation())),
    );
  }

  private async call<Request, Response>(
    method: RuntimeMethod<Request, Response>,
    request: Request,
    options: ChannelCallOptions,
    metadata: Metadata,
  ): Promise<Response> {
    const { signal } = options;
    refuseAborted(signal);
    const deadline = this.deadlineOf(options);
    const ready = this.usableClient();
    const client = ready instanceof Promise ? await ready : ready;
    refuseAborted(signal);
    return new Promise<Response>((resolve, reject) => {
      const call = client.makeUnaryRequest<Request, Response>(
        method.path,
        method.encode,
        method.decode,
        request,
        metadata,
        deadline,
        (error, response) => {
          this.calls.delete(call);
          unlisten();
          if (error === null) return resolve(response as Response);
          reject(signal?.aborted === true ? fromAbort(signal) : fromServiceError(error, this.isOver(deadline)));
        },
      );
      this.calls.add(call);
      const unlisten = onAbort(signal, () => call.cancel());
    });
  }

  /** The stream is read as fast as the loop takes the messages; leaving the loop cancels the call. */
  async *stream<Request, Response>(
    method: RuntimeMethod<Request, Response>,
    request: Request,
    options: ChannelCallOptions,
  ): AsyncGenerator<Response, void, undefined> {
    const { signal } = options;
    refuseAborted(signal);
    const deadline = this.deadlineOf(options);
    const client = await this.usableClient();
    refuseAborted(signal);
    const call = client.makeServerStreamRequest<Request, Response>(
      method.path,
      method.encode,
      method.decode,
      request,
      this.metadata,
      deadline,
    );
    this.calls.add(call);
    const unlisten = onAbort(signal, () => call.cancel());
    try {
      for await (const message of call) yield message as Response;
    } catch (error) {
      if (signal?.aborted === true) throw fromAbort(signal);
      throw isServiceError(error) ? fromServiceError(error, this.isOver(deadline)) : error;
    } finally {
      this.calls.delete(call);
      unlisten();
      call.cancel();
    }
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

  /** Ends the connection; calls in flight end with `cancelled`, later ones too. */
  close(): void {
    this.closed = true;
    for (const call of this.calls) call.cancel();
    this.client?.close();
    this.client = undefined;
  }

  // gRPC keeps the deadline itself: it is exact, costs one timer per call, and is also told to the runtime, which stops
  // its own work then. Clock.deadline would be a second timer and controller per call, and the runtime would not know.
  private deadlineOf({ timeoutMs }: ChannelCallOptions): { deadline?: number } {
    return timeoutMs > 0 ? { deadline: this.clock.now() + timeoutMs } : {};
  }

  private isOver({ deadline }: { deadline?: number }): boolean {
    return deadline !== undefined && this.clock.now() >= deadline;
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

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw fromAbort(signal);
}

// Names of OpenTelemetry's semantic conventions for RPCs.
function spanAttributes(path: string): Readonly<Record<string, string>> {
  const [, service = '', method = ''] = path.split('/');
  return { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
}
