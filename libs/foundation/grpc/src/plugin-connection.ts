import type { Client, ClientOptions } from '@grpc/grpc-js';
import { KubeletError } from '@podwright/errors';
import { withDeadline } from '@podwright/concurrency';
import { abortError, type Clock } from '@podwright/time';
import { ClientCalls, type ClientCallOptions, type GrpcMethod } from './client-calls.js';

export interface PluginConnectionOptions {
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  /** Default 4 MiB, as in Go's client. */
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
  // A plugin often begins to serve a moment after it has registered.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
  // Channelz costs time on every call, and nothing reads it.
  'grpc.enable_channelz': 0,
  // Channels to one address share a connection by default; a restarted plugin needs a new one.
  'grpc.use_local_subchannel_pool': 1,
};

/** One connection to a plugin. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/plugin/v1beta1/client.go dial. */
export class PluginConnection {
  private readonly calls: ClientCalls;
  private closed = false;

  /** Without a `client`, one is made with the first use. */
  private constructor(
    private readonly makeClient: () => Promise<Client>,
    private readonly clock: Clock,
    private client?: Promise<Client>,
  ) {
    this.calls = new ClientCalls(() => this.usableClient(), clock);
  }

  /**
   * Connects to a socket; resolves when the plugin has accepted. Rejects with `deadline-exceeded` after
   * `connectTimeoutMs`, or with the signal's reason.
   */
  static async open(socket: string, options: PluginConnectionOptions): Promise<PluginConnection> {
    const { clock, connectTimeoutMs, signal, maxAnswerBytes } = options;
    const client = await clientOf(socket, maxAnswerBytes);
    try {
      await withDeadline(clock, connectTimeoutMs, () => ready(client), signal);
    } catch (error) {
      client.close();
      if (signal?.aborted === true) throw abortError(signal);
      throw new KubeletError('context deadline exceeded', { code: 'deadline-exceeded', cause: error });
    }
    return new PluginConnection(() => clientOf(socket, maxAnswerBytes), clock, Promise.resolve(client));
  }

  /**
   * Connects with the first call. A plugin that does not accept fails the call with `unavailable`, at once. Source:
   * grpc-go grpc.NewClient, whose calls do not wait for a connection that failed.
   */
  static lazy(
    socket: string,
    { clock, maxAnswerBytes }: Pick<PluginConnectionOptions, 'clock' | 'maxAnswerBytes'>,
  ): PluginConnection {
    return new PluginConnection(() => clientOf(socket, maxAnswerBytes), clock);
  }

  unary<Request, Answer>(
    method: GrpcMethod<Request, Answer>,
    request: Request,
    options: PluginCallOptions = {},
  ): Promise<Answer> {
    return this.calls.unary(method, request, this.callOptions(options));
  }

  /**
   * Yields messages as fast as the loop takes them. Leaving the loop cancels the call; the end of the stream ends the
   * loop.
   */
  stream<Request, Answer>(
    method: GrpcMethod<Request, Answer>,
    request: Request,
    options: PluginCallOptions = {},
  ): AsyncGenerator<Answer, void, undefined> {
    return this.calls.stream(method, request, this.callOptions(options));
  }

  /**
   * Connects at once, and again whenever the connection has ended, until `close`. Calls `listener` with true when the
   * plugin has accepted, and with false when the connection has ended. Call it once at most.
   */
  keepConnected(listener: (connected: boolean) => void): void {
    void this.keepWatching(listener);
  }

  private async keepWatching(listener: (connected: boolean) => void): Promise<void> {
    const [{ connectivityState }, client] = await Promise.all([loadGrpc(), (this.client ??= this.makeClient())]);
    const channel = client.getChannel();
    let connected = false;
    const look = (): void => {
      if (this.closed) return;
      // An idle or failed channel connects only for a call, or because of this question.
      const state = channel.getConnectivityState(true);
      if (connected !== (state === connectivityState.READY)) {
        connected = !connected;
        listener(connected);
      }
      channel.watchConnectivityState(state, Infinity, look);
    };
    look();
  }

  /** Closes the connection: running and later calls reject with `cancelled`. May be called twice. */
  close(): void {
    this.closed = true;
    this.calls.cancelAll();
    void this.client?.then((client) => client.close());
  }

  private async usableClient(): Promise<Client> {
    const client = this.closed ? undefined : await (this.client ??= this.makeClient());
    if (client === undefined || this.closed)
      throw new KubeletError('the connection to the plugin is closed', { code: 'cancelled' });
    return client;
  }

  private callOptions({ timeoutMs = Infinity, signal }: PluginCallOptions): ClientCallOptions {
    return { signal, ...(timeoutMs !== Infinity && { deadlineMs: this.clock.now() + timeoutMs }) };
  }
}

/** With the first plugin: a node without any saves the memory. */
const loadGrpc = (): Promise<typeof import('@grpc/grpc-js')> => import('@grpc/grpc-js');

async function clientOf(socket: string, maxAnswerBytes = defaultMaxAnswerBytes): Promise<Client> {
  const { Client, credentials } = await loadGrpc();
  return new Client(`unix:${socket}`, credentials.createInsecure(), {
    ...channelOptions,
    'grpc.max_receive_message_length': maxAnswerBytes,
  });
}

function ready(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(Infinity, (error) => (error === undefined ? resolve() : reject(error)));
  });
}
