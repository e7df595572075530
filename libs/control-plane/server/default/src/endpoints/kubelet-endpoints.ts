import { KubeletError } from '@podwright/errors';
import type { Route, ServerRoute } from '@podwright/server-interface';
import { DebuggingEndpoints } from './debugging-endpoints.js';
import { debuggingDisabledRoutes } from './disabled-routes.js';
import type { EndpointsConfig } from './endpoints-config.js';
import type { EndpointsNeeds } from './endpoints-needs.js';
import { UnguardedEndpoints } from './unguarded-endpoints.js';

/**
 * The endpoints of each listener, in upstream's order. Source: kubernetes v1.36 pkg/kubelet/server/server.go
 * (NewServer).
 */
export class KubeletEndpoints {
  private readonly unguarded: UnguardedEndpoints;
  private readonly debugging: DebuggingEndpoints;
  /** Routes of other modules. */
  private readonly contributed: readonly ServerRoute[];
  private readonly localRoutes: readonly Route[];

  constructor(
    deps: EndpointsNeeds,
    private readonly config: EndpointsConfig,
  ) {
    this.unguarded = new UnguardedEndpoints(deps);
    this.debugging = new DebuggingEndpoints(deps, config);
    this.localRoutes = deps.localRoutes;
    const { enableDebuggingHandlers } = config;
    this.contributed = deps.routes.filter(({ debugging = false }) => enableDebuggingHandlers || !debugging);
  }

  /** The routes of the main listener, which admits only authorized requests. */
  main(): readonly Route[] {
    const unguarded = this.unguarded.routes({ reset: true });
    const served = [...unguarded, ...this.contributed];
    const own = this.config.enableDebuggingHandlers ? this.debugging.routes(served) : debuggingDisabledRoutes();
    return withoutConflict([...unguarded, ...own], this.contributed);
  }

  /** The routes of the local API's listeners: its own beside those of the main listener. */
  local(): readonly Route[] {
    return withoutConflict(this.main(), this.localRoutes);
  }

  /** The routes of the read-only port. Anybody may call them: none may have a side effect or reveal a secret. */
  readOnly(): readonly Route[] {
    const own = [...this.unguarded.routes({ reset: false }), ...debuggingDisabledRoutes()];
    return withoutConflict(
      own,
      this.contributed.filter(({ readOnlyPort = false }) => readOnlyPort),
    );
  }

  /** The routes of the healthz port: only whether the process is alive. */
  healthz(): readonly Route[] {
    return this.unguarded.healthz();
  }
}

// The router would always serve the first of two routes with the same path and silently hide the other.
function withoutConflict(own: readonly Route[], contributed: readonly Route[]): readonly Route[] {
  const all = [...own, ...contributed];
  const taken = new Set<string>();
  for (const { path } of all) {
    // Names of parameters do not tell two paths apart.
    const shape = path.replaceAll(/\{[^}.]*/g, '{');
    if (taken.has(shape)) {
      const message = `two modules bring the endpoint ${path}: leave one of them out of the assembly`;
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    taken.add(shape);
  }
  return all;
}
