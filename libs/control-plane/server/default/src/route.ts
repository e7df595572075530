import type { IncomingHttpHeaders } from 'node:http';
import type { UserInfo } from '@podwright/server-auth-interface';
import type { UpgradeRequest } from '@podwright/streaming-interface';
import type { Answer } from './answer.js';

/** A request that may be served: well formed, within the limits, and its sender may do this. */
export interface ServerRequest {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** What stands in braces in the route's path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Undefined on listeners without authentication. */
  readonly user: UserInfo | undefined;
  /** The client has gone, the time is up, or the server stops. */
  readonly signal: AbortSignal;
  /** The body, read to its end; rejects with `resource-exhausted` (413) beyond the limit. */
  body(maxBytes: number): Promise<Uint8Array>;
}

/** One path of a listener. */
export interface Route {
  /**
   * `/pods` matches itself; `/logs/` everything below it as well (the longest prefix wins); `{name}` one element that is not
   * empty, `{name...}` the rest, which may be empty.
   */
  readonly path: string;
  /**
   * `any`: a plain handler. A list: part of a web service, which is everything below the first element (with `{name...}`:
   * below what stands before it), where a slash at the end does not count, other paths get 404 and other methods 405 in the
   * words of upstream's web services.
   */
  readonly methods: 'any' | readonly string[];
  /** The media types that a web service's route can answer with; an Accept header that wants none of them gets 406. Absent: no matter. */
  readonly produces?: readonly string[];
  /** First element(s) of the path in the request metrics, `other` when absent. */
  readonly metricPath?: string;
  handle(request: ServerRequest): Promise<Answer> | Answer;
  /**
   * Takes a connection over whose client wants another protocol. Resolves when it is over; an Answer that it resolves with, or
   * an error that it rejects with, is sent on the connection, which nothing has been written to then.
   */
  upgrade?(request: ServerRequest, connection: UpgradeRequest): Promise<Answer | undefined>;
}
