import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { LabelSelector } from '@podwright/kube-types';

/**
 * Reads trust anchors of ClusterTrustBundle objects as PEM, normalised and without duplicates. Source: kubernetes v1.36
 * pkg/kubelet/clustertrustbundle/clustertrustbundle_manager.go.
 */
export interface ClusterTrustBundles extends Lifecycle {
  /**
   * The trust anchors of one bundle. For a missing bundle it resolves with the empty string when `allowMissing`, else
   * rejects with `not-found`. Rejects with `failed-precondition` without an API server.
   */
  byName(name: string, allowMissing: boolean): Promise<string>;
  bySigner(signerName: string, labelSelector: LabelSelector | undefined, allowMissing: boolean): Promise<string>;
}

export const CLUSTER_TRUST_BUNDLES = createToken<ClusterTrustBundles>('kubelet.cluster-trust-bundles/v1');
