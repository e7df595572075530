import { createManyToken, createToken, type Health, type Lifecycle } from '@podwright/assembly-interface';

/** One named check of /healthz. */
export interface HealthCheck {
  readonly name: string;
  /** True: listed directly after the server's own checks, as upstream lists `syncloop`. Default false: at the end. */
  readonly early?: boolean;
  check(): Health;
}

/** Checks of /healthz in addition to the server's own; modules contribute theirs. */
export const HEALTH_CHECKS = createManyToken<HealthCheck>('kubelet.health-checks/v1');

/** Runs the HTTP listeners: main (authenticated), healthz, read-only. `start()` rejects when it cannot bind a port. */
export interface KubeletServer extends Lifecycle {
  /** The address of each running listener, `host:port`; absent for one that is off. */
  addresses(): { readonly https?: string; readonly healthz?: string; readonly readOnly?: string };
}

export const KUBELET_SERVER = createToken<KubeletServer>('kubelet.server/v1');
