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

/**
 * The address of each running listener: `host:port`, for `localSocket` the path of the socket; absent for one that is
 * off.
 */
export interface ServerAddresses {
  readonly https?: string;
  readonly healthz?: string;
  readonly readOnly?: string;
  readonly localSocket?: string;
  readonly local?: string;
  /** Those of {@link LOOPBACK_LISTENERS}, by name; absent when there are none. */
  readonly loopback?: Readonly<Record<string, string>>;
}

/**
 * Runs the HTTP listeners: main (authenticated), healthz, read-only, and those of the local API. `start()` rejects when
 * it cannot bind a port or the socket.
 */
export interface KubeletServer extends Lifecycle {
  addresses(): ServerAddresses;
}

export const KUBELET_SERVER = createToken<KubeletServer>('kubelet.server/v1');
