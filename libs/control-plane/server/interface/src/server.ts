import { createToken, type Health, type Lifecycle } from '@podwright/assembly-interface';

/** One named check of /healthz. */
export interface HealthCheck {
  readonly name: string;
  check(): Health;
}

/** The listeners: the authenticated one, healthz, read-only. A port that cannot be bound makes start() reject. */
export interface KubeletServer extends Lifecycle {
  /** Addresses in use, `host:port`, by listener; absent when a listener is off. */
  addresses(): { readonly https?: string; readonly healthz?: string; readonly readOnly?: string };
}

export const KUBELET_SERVER = createToken<KubeletServer>('kubelet.server/v1');
