import { createToken } from '@podwright/assembly-interface';

/** What of a Service goes into the environment of containers. */
export interface ServiceAddress {
  readonly name: string;
  readonly namespace: string;
  /** Cluster IP; services without one (empty, `None`) are left out. */
  readonly clusterIp: string;
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
}

/** The services of the cluster, for `<SERVICE>_SERVICE_HOST` and its like. Without an API server there are none. */
export interface ServiceSource {
  /** Services of that namespace, and those of the master namespace (`kubernetes` in `default`). */
  list(namespace: string): readonly ServiceAddress[];
  /** False as long as the first list has not come: pods that want services wait. */
  hasSynced(): boolean;
}

export const SERVICE_SOURCE = createToken<ServiceSource>('kubelet.service-source/v1');
