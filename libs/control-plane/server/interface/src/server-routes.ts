import { createManyToken } from '@podwright/assembly-interface';
import type { MetricsSource } from '@podwright/metrics';
import type { Route } from './route.js';

/**
 * A route that a module contributes to the main port. The server authenticates and authorizes each request before it
 * calls the route (subresource `proxy`, unless the path has one of its own). The server does not start when two routes
 * have the same path.
 */
export interface ServerRoute extends Route {
  /** True: served only with `enableDebuggingHandlers`. Default false. */
  readonly debugging?: boolean;
  /** True: served on the read-only port too, to anyone. It may neither change anything nor reveal a secret. Default false. */
  readonly readOnlyPort?: boolean;
}

/** Modules contribute the routes that show their own state. */
export const SERVER_ROUTES = createManyToken<ServerRoute>('kubelet.server-routes/v1');

/**
 * Modules contribute the routes of the local API: those for people who manage the pods of this node without a cluster.
 * The server serves them to root alone (on a socket), and to clients with a certificate of the configured authority; it
 * authorizes nobody further. There are {@link SERVER_ROUTES} and the server's own beside them.
 */
export const LOCAL_ROUTES = createManyToken<Route>('kubelet.local-routes/v1');

/** A page `/metrics/NAME` of the main and the read-only port. The server negotiates its format and compresses it. */
export interface MetricsPage {
  readonly name: string;
  readonly source: MetricsSource;
}

/** Modules contribute metrics that `/metrics` does not have, such as those of containers. */
export const METRICS_PAGES = createManyToken<MetricsPage>('kubelet.metrics-pages/v1');
