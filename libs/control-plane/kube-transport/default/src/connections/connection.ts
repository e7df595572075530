import type { KubeHttpResponse } from '@podwright/kube-client-interface';

/** A request as sent: the path includes that of the server; all headers are set. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** A connection to the server: one HTTP/2 session, or all HTTP/1.1 connections together. */
export interface Connection {
  /** Accepts one more request. Stays false once the connection is closing. */
  readonly usable: boolean;
  readonly openRequests: number;
  /** Rejects with `unavailable`, or with the signal's reason. */
  send(request: WireRequest, signal: AbortSignal): Promise<KubeHttpResponse>;
  /** Accepts no more requests, and closes when the open ones have ended. */
  retire(): void;
  /** Closes now; open requests fail with the error. */
  destroy(error: Error): void;
}

/** The server did not process the request, so it may be sent again. */
export class UnprocessedRequestError extends Error {
  constructor(cause: unknown) {
    super('the server did not take the request', { cause });
    this.name = 'UnprocessedRequestError';
  }
}
