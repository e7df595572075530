import { endpointDisabled } from '@podwright/http-answer';
import type { Route } from '@podwright/server-interface';
import { configzRoutes } from './configz-routes.js';
import { debugFlagsRoutes } from './debug-flags-routes.js';
import type { EndpointsConfig } from './endpoints-config.js';
import type { EndpointsNeeds } from './endpoints-needs.js';
import { flagzRoutes } from './zpages/flagz-routes.js';
import { statuszRoutes } from './zpages/statusz-routes.js';

/** Endpoints about the process. Only the main listener serves them, and only with `enableDebuggingHandlers`. */
export class DebuggingEndpoints {
  constructor(
    private readonly deps: EndpointsNeeds,
    private readonly config: EndpointsConfig,
  ) {}

  /** The routes in upstream's order. `served`: the listener's other routes, which /statusz lists too. */
  routes(served: readonly Route[]): readonly Route[] {
    const { config } = this;
    const { random, kubelet } = this.deps;
    const routes = [
      ...this.flagsRoutes(),
      ...(kubelet === undefined ? [] : configzRoutes(kubelet)),
      ...(kubelet === undefined || !config.flagz ? [] : flagzRoutes(kubelet, random, config.cbor)),
    ];
    if (kubelet === undefined || !config.statusz) return routes;
    const plainHandlers = [...served, ...routes].filter(({ methods }) => methods === 'any');
    const paths = plainHandlers.map(({ path }) => path);
    return [
      ...routes,
      ...statuszRoutes({ process: kubelet, clock: this.deps.clock, random, paths, cbor: config.cbor }),
    ];
  }

  private flagsRoutes(): readonly Route[] {
    const path = '/debug/flags/v';
    if (!this.config.enableDebugFlagsHandler) {
      return [{ path, methods: 'any', metricPath: 'debug', handle: () => endpointDisabled('flags') }];
    }
    return this.deps.kubelet === undefined ? [] : debugFlagsRoutes(this.deps.kubelet);
  }
}
