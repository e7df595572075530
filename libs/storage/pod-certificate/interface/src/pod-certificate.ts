import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** A private key and the certificates for it, both PEM. */
export interface CredentialBundle {
  /** PKCS#8. */
  readonly privateKey: string;
  /** The pod's certificate, then the intermediate ones. Only blocks `CERTIFICATE`, without headers and comments. */
  readonly certificateChain: string;
}

/**
 * Requests the certificates of pods' `podCertificate` volume sources, and renews them for as long as a pod is tracked.
 * Nothing outlives a restart: every pod then gets new keys. Source: kubernetes v1.36
 * pkg/kubelet/podcertificate/podcertificatemanager.go.
 */
export interface PodCertificates extends Lifecycle {
  /**
   * Starts to request the certificates of the pod, which may have none. Returns at once and never throws. A second call
   * for the same pod keeps its certificates.
   */
  trackPod(pod: Pod): void;
  /** Forgets keys, certificates and requests of the pod; a pod that is not tracked is no error. */
  forgetPod(podUid: string): void;
  /**
   * The current credentials of the source `sourceIndex` of a projected volume, from memory. While they are renewed it
   * returns the old ones, even expired ones. Throws `unavailable` until they are issued, `permission-denied` once the
   * signer has denied a request, and `failed-precondition` once it has failed at one, or when nothing requests
   * certificates.
   */
  credentialBundle(pod: Pod, volumeName: string, sourceIndex: number): CredentialBundle;
}

export const POD_CERTIFICATES = createToken<PodCertificates>('kubelet.pod-certificates/v1');
