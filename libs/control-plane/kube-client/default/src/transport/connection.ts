import type { KubeHttpResponse } from '@podwright/kube-client-interface';

/** A request as it goes out: path with that of the server in front, all headers. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** One way to the server: an HTTP/2 session, or all HTTP/1.1 connections together. */
export interface Connection {
  /** Takes one more request. False for good once it is going away. */
  readonly usable: boolean;
  readonly openRequests: number;
  /** Rejects with `unavailable`, or with the signal's reason. */
  send(request: WireRequest, signal: AbortSignal): Promise<KubeHttpResponse>;
  /** Takes no more requests, and closes when those that are open have ended. */
  retire(): void;
  /** Ends now; open requests fail with the error. */
  destroy(error: Error): void;
}

/** The server surely did nothing about the request, so that it may be sent once more. */
export class UnprocessedRequestError extends Error {
  constructor(cause: unknown) {
    super('the server did not take the request', { cause });
    this.name = 'UnprocessedRequestError';
  }
}
