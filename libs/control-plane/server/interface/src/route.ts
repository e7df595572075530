import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '@podwright/http-answer';
import type { RoutePath } from '@podwright/http-router';
import type { UserInfo } from '@podwright/server-auth-interface';
import type { UpgradeRequest } from '@podwright/streaming-interface';

/** A request for a route: well formed, within the limits, and authorized. */
export interface ServerRequest {
  readonly method: string;
  /** Path of the URL, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Values of the parameters in braces in the route's path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Undefined on listeners without authentication. */
  readonly user: UserInfo | undefined;
  /** Aborts when the client disconnects, the time limit is over, or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Reads the whole body. Rejects with `resource-exhausted` (413) beyond `maxBytes`, with `cancelled` when the client
   * disconnects.
   */
  body(maxBytes: number): Promise<Uint8Array>;
}

/** One path of a listener. */
export interface Route extends RoutePath {
  /** Label of the route in the request metrics: the first element(s) of its path. `other` when absent. */
  readonly metricPath?: string;
  handle(request: ServerRequest): Promise<Answer> | Answer;
  /**
   * Takes over the connection of a client that requests an upgrade to another protocol. Resolves with undefined when
   * the connection has ended. When it resolves with an Answer or rejects, it must not have written to the connection:
   * the server then sends the Answer or the error.
   */
  upgrade?(request: ServerRequest, connection: UpgradeRequest): Promise<Answer | undefined>;
}
