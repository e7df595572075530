import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import type { OperatorCredentials } from './operator-credentials.js';

/** A running kubelet, in a process of its own or, with the simulated runtime, in this process. */
export interface RunningKubelet {
  readonly logFile: string;
  /** URL of its API and credentials for it; undefined without an API. */
  readonly url: string | undefined;
  readonly operator: OperatorCredentials | undefined;
  /** Socket for root, with the local API on a node without a cluster; undefined when it was started without. */
  readonly socket: string | undefined;
  pods(): Promise<readonly Pod[]>;
  lastLines(count: number): string;
  /** Its volumes stay mounted for the containers. */
  stop(): Promise<void>;
}

/** How a kubelet connects to its API server. */
export interface ClusterJoin {
  /** Kubeconfig of the node. */
  readonly kubeconfig: string;
  /**
   * Authority (PEM) of the certificate that the API server presents to the kubelet. Absent for the cluster of
   * `--kubeconfig`, whose authorities the user configures.
   */
  readonly authority?: string;
  readonly nodeName: string;
  /** Connection for a kubelet in this process. */
  readonly transport?: KubeTransport;
  /** Images on a simulated runtime. */
  readonly images: readonly string[];
}
