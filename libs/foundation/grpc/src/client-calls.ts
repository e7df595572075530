import type { Client, ServiceError } from '@grpc/grpc-js';
import { abortError, onAbort, type Clock } from '@podwright/time';
import { fromServiceError, isServiceError } from './service-error.js';

/** One RPC for its client: its path and its wire format. `decode` may throw for a malformed answer. */
export interface GrpcMethod<Request, Answer> {
  readonly path: string;
  encode(request: Request): Buffer;
  decode(bytes: Buffer): Answer;
}

export interface ClientCallOptions {
  /** Deadline in wall-clock milliseconds; gRPC enforces it and sends it to the server. Default: none. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The calls over one connection. A call that fails rejects with a KubeletError. */
export class ClientCalls {
  private readonly running = new Set<{ cancel(): void }>();

  /** `client` runs for each call; when it rejects, the call rejects with the same error. */
  constructor(
    private readonly client: () => Promise<Client>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  async unary<Request, Answer>(
    { path, encode, decode }: GrpcMethod<Request, Answer>,
    request: Request,
    options: ClientCallOptions,
  ): Promise<Answer> {
    const { signal } = options;
    refuseAborted(signal);
    const client = await this.client();
    refuseAborted(signal);
    return new Promise<Answer>((resolve, reject) => {
      const end = (error: ServiceError | null, answer?: Answer): void => {
        this.running.delete(call);
        unlisten();
        if (error === null) resolve(answer as Answer);
        else reject(signal?.aborted === true ? abortError(signal) : fromServiceError(error, this.isOver(options)));
      };
      const call = client.makeUnaryRequest(path, encode, decode, request, deadlineOf(options), end);
      this.running.add(call);
      const unlisten = onAbort(signal, () => call.cancel());
    });
  }

  /**
   * Yields messages as fast as the loop takes them. Leaving the loop cancels the call; the end of the stream ends the
   * loop.
   */
  async *stream<Request, Answer>(
    { path, encode, decode }: GrpcMethod<Request, Answer>,
    request: Request,
    options: ClientCallOptions,
  ): AsyncGenerator<Answer, void, undefined> {
    const { signal } = options;
    refuseAborted(signal);
    const client = await this.client();
    refuseAborted(signal);
    const call = client.makeServerStreamRequest(path, encode, decode, request, deadlineOf(options));
    this.running.add(call);
    const unlisten = onAbort(signal, () => call.cancel());
    try {
      for await (const message of call) yield message as Answer;
    } catch (error) {
      if (signal?.aborted === true) throw abortError(signal);
      throw isServiceError(error) ? fromServiceError(error, this.isOver(options)) : error;
    } finally {
      this.running.delete(call);
      unlisten();
      call.cancel();
    }
  }

  /** Cancels all running calls; they reject with `cancelled`. */
  cancelAll(): void {
    for (const call of this.running) call.cancel();
  }

  private isOver({ deadlineMs = Infinity }: ClientCallOptions): boolean {
    return this.clock.now() >= deadlineMs;
  }
}

function deadlineOf({ deadlineMs }: ClientCallOptions): { deadline?: number } {
  return deadlineMs === undefined ? {} : { deadline: deadlineMs };
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}
