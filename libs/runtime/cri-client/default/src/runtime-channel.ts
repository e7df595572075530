import { SocketClient, type GrpcMethod } from '@podwright/grpc';
import type { Clock } from '@podwright/time';
import type { Tracer } from '@podwright/tracing-interface';

export interface ChannelCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** 0 = none. */
  readonly timeoutMs: number;
}

const clientOptions = {
  // Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/remote_runtime.go.
  maxAnswerBytes: 16 * 1024 * 1024,
  // Long enough for any local connect; upstream's minimum connect timeout.
  connectTimeoutMs: 5_000,
};

/** One connection to the runtime, with a span for each call. It reconnects by itself, as a {@link SocketClient} does. */
export class RuntimeChannel {
  private readonly client: SocketClient;

  constructor(
    readonly socketPath: string,
    clock: Clock,
    private readonly tracer?: Tracer,
  ) {
    this.client = new SocketClient(socketPath, { clock, ...clientOptions });
  }

  unary<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: Request,
    options: ChannelCallOptions,
  ): Promise<Response> {
    const { client, tracer } = this;
    if (tracer === undefined) return client.unary(method, request, options);
    return tracer.trace(method.path.slice(1), { kind: 'client', attributes: spanAttributes(method.path) }, () =>
      client.unary(method, request, { ...options, headers: tracer.propagation() }),
    );
  }

  /** Reads only as fast as the loop takes messages; leaving the loop cancels the call. */
  stream<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: Request,
    options: ChannelCallOptions,
  ): AsyncGenerator<Response, void, undefined> {
    return this.client.stream(method, request, options);
  }

  /** Resolves when the socket accepts a connection; rejects with the system's error (ENOENT, EACCES, ECONNREFUSED). */
  probe(): Promise<void> {
    return this.client.probe();
  }

  /** Closes the connection; calls in flight and later calls end with `cancelled`. */
  close(): void {
    this.client.close();
  }
}

// Names from OpenTelemetry's semantic conventions for RPCs.
function spanAttributes(path: string): Readonly<Record<string, string>> {
  const [, service = '', method = ''] = path.split('/');
  return { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
}
