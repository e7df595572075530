import { KubeletError } from '@podwright/errors';
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { abortReason } from '@podwright/time';
import type { ApiRequest, ApiResponse, ApiUser } from './api-request.js';
import { ByteStream } from './byte-stream.js';

/** Handles the requests of a transport. */
export interface RequestHandler {
  handle(request: ApiRequest): Promise<ApiResponse>;
}

/** A {@link KubeTransport} to a server in the same process. */
export class InProcessTransport implements KubeTransport {
  readonly server = 'https://test-apiserver.invalid';
  private open = new Set<AbortController>();

  constructor(
    private readonly handler: RequestHandler,
    private readonly user: ApiUser,
  ) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.closeConnections('all');
    return Promise.resolve();
  }

  async send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    if (signal.aborted) throw abortReason(signal);
    const controller = new AbortController();
    const forward = (): void => controller.abort(abortReason(signal));
    signal.addEventListener('abort', forward, { once: true });
    this.open.add(controller);
    const close = (): void => {
      this.open.delete(controller);
      signal.removeEventListener('abort', forward);
    };
    try {
      const response = await untilAborted(
        this.handler.handle(apiRequest(request, this.user, controller.signal)),
        controller.signal,
      );
      return {
        status: response.status,
        headers: response.headers,
        body: answerBody(response, controller.signal, close),
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  closeConnections(which: 'idle' | 'all'): void {
    if (which === 'idle') return;
    const open = this.open;
    this.open = new Set();
    for (const controller of open) {
      controller.abort(new KubeletError('http2: client connection lost', { code: 'unavailable' }));
    }
  }

  reloadCredentials(): Promise<void> {
    return Promise.resolve();
  }
}

function apiRequest(request: KubeHttpRequest, user: ApiUser, signal: AbortSignal): ApiRequest {
  const { method, path, headers, body } = request;
  const url = new URL(path, 'https://test-apiserver.invalid');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  return { method, path: url.pathname, query: url.searchParams, headers, body: bytes, user, signal };
}

function answerBody({ body }: ApiResponse, signal: AbortSignal, close: () => void): AsyncIterable<Uint8Array> {
  const stream = new ByteStream(close);
  if (body instanceof Uint8Array) {
    if (body.byteLength > 0) stream.push(body);
    stream.end();
    return stream;
  }
  return whileOpen(body, signal, close);
}

/** Iterates over the source until the signal aborts. Ending the iteration also ends the source's. */
function whileOpen(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  close: () => void,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const inner = source[Symbol.asyncIterator]();
      return {
        next: async () => {
          const result = await untilAborted(inner.next(), signal).catch((error: unknown) => {
            close();
            throw error;
          });
          if (result.done === true) close();
          return result;
        },
        return: async () => {
          close();
          await inner.return?.();
          return { done: true as const, value: undefined };
        },
      };
    },
  };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(abortReason(signal));
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
