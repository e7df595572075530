import { Client, credentials, Metadata, type ClientOptions, type ServiceError } from '@grpc/grpc-js';
import { KubeletError } from '@podwright/errors';
import { withDeadline } from '@podwright/concurrency';
import { onAbort, type Clock } from '@podwright/time';
import { fromAbort, fromServiceError } from './rpc-error.js';

/** One RPC: its path, and the two halves of its wire form. `decode` may throw for an answer that is malformed. */
export interface PluginMethod<Request, Answer> {
  readonly path: string;
  encode(request: Request): Buffer;
  decode(bytes: Buffer): Answer;
}

export interface PluginConnectionOptions {
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  /** Default 4 MiB, as of Go's client. */
  readonly maxAnswerBytes?: number;
  readonly signal?: AbortSignal;
}

export interface PluginCallOptions {
  /** Default: none. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const defaultMaxAnswerBytes = 4 * 1024 * 1024;

const channelOptions: ClientOptions = {
  'grpc.default_authority': 'localhost',
  // A plugin often serves a moment after it has told of itself.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
  // Its bookkeeping costs on every call and nothing reads it.
  'grpc.enable_channelz': 0,
  // Channels to one address share a connection by default; a plugin that was restarted must not be met on the old one.
  'grpc.use_local_subchannel_pool': 1,
};

/** One connection to a plugin. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/plugin/v1beta1/client.go dial. */
export class PluginConnection {
  private readonly calls = new Set<{ cancel(): void }>();
  private closed = false;

  private constructor(
    private readonly client: Client,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the socket has accepted; rejects with `deadline-exceeded`, in Go's words, or with the signal's reason. */
  static async open(socket: string, options: PluginConnectionOptions): Promise<PluginConnection> {
    const { clock, connectTimeoutMs, signal, maxAnswerBytes = defaultMaxAnswerBytes } = options;
    const client = new Client(`unix:${socket}`, credentials.createInsecure(), {
      ...channelOptions,
      'grpc.max_receive_message_length': maxAnswerBytes,
    });
    try {
      await withDeadline(clock, connectTimeoutMs, () => ready(client), signal);
    } catch (error) {
      client.close();
      if (signal?.aborted === true) throw fromAbort(signal);
      throw new KubeletError('context deadline exceeded', { code: 'deadline-exceeded', cause: error });
    }
    return new PluginConnection(client, clock);
  }

  async unary<Request, Answer>(
    method: PluginMethod<Request, Answer>,
    request: Request,
    options: PluginCallOptions = {},
  ): Promise<Answer> {
    this.refuse(options);
    const { signal } = options;
    return new Promise<Answer>((resolve, reject) => {
      const { path, encode, decode } = method;
      const metadata = new Metadata();
      const deadline = this.deadlineOf(options);
      const end = (error: ServiceError | null, answer?: Answer): void => {
        this.calls.delete(call);
        unlisten();
        if (error === null) resolve(answer as Answer);
        else reject(signal?.aborted === true ? fromAbort(signal) : fromServiceError(error));
      };
      const call = this.client.makeUnaryRequest(path, encode, decode, request, metadata, deadline, end);
      this.calls.add(call);
      const unlisten = onAbort(signal, () => call.cancel());
    });
  }

  /** Messages as the loop takes them; leaving the loop cancels the call. A plugin that ends the stream ends the loop. */
  async *stream<Request, Answer>(
    method: PluginMethod<Request, Answer>,
    request: Request,
    options: PluginCallOptions = {},
  ): AsyncGenerator<Answer, void, undefined> {
    this.refuse(options);
    const { signal } = options;
    const { path, encode, decode } = method;
    const call = this.client.makeServerStreamRequest(
      path,
      encode,
      decode,
      request,
      new Metadata(),
      this.deadlineOf(options),
    );
    this.calls.add(call);
    const unlisten = onAbort(signal, () => call.cancel());
    try {
      for await (const message of call) yield message as Answer;
    } catch (error) {
      if (signal?.aborted === true) throw fromAbort(signal);
      throw isServiceError(error) ? fromServiceError(error) : error;
    } finally {
      this.calls.delete(call);
      unlisten();
      call.cancel();
    }
  }

  /** Calls under way end with `cancelled`, later ones too. May come twice. */
  close(): void {
    this.closed = true;
    for (const call of this.calls) call.cancel();
    this.client.close();
  }

  private refuse({ signal }: PluginCallOptions): void {
    if (this.closed) throw new KubeletError('the connection to the plugin is closed', { code: 'cancelled' });
    if (signal?.aborted === true) throw fromAbort(signal);
  }

  // gRPC keeps it itself, and the plugin is told.
  private deadlineOf({ timeoutMs }: PluginCallOptions): { deadline?: number } {
    return timeoutMs === undefined ? {} : { deadline: this.clock.now() + timeoutMs };
  }
}

function ready(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(Infinity, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && typeof (thrown as Partial<ServiceError>).code === 'number' && 'details' in thrown;
}
