import { createToken } from '@podwright/assembly-interface';

/** The part of a Service that goes into the environment variables of containers. */
export interface ServiceAddress {
  readonly name: string;
  readonly namespace: string;
  /** Cluster IP; the source leaves out services without one (empty, `None`). */
  readonly clusterIp: string;
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
}

/** The cluster's services, for variables such as `<SERVICE>_SERVICE_HOST`. Without an API server there are none. */
export interface ServiceSource {
  /** Services of that namespace, and those of the master namespace (`kubernetes` in `default`). */
  list(namespace: string): readonly ServiceAddress[];
  /** False before the first list; until then pods that need services must wait. */
  hasSynced(): boolean;
}

export const SERVICE_SOURCE = createToken<ServiceSource>('kubelet.service-source/v1');
