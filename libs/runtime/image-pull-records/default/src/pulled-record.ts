import type { TrackedCredential } from '@podwright/image-credentials-interface';

export interface ImagePullSecret {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly credentialHash: string;
}

export interface ImagePullServiceAccount {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** Which pods may use an image under one of its names. */
export interface ImagePullCredentials {
  readonly kubernetesSecrets?: readonly ImagePullSecret[];
  readonly kubernetesServiceAccounts?: readonly ImagePullServiceAccount[];
  /** Every pod of the node may use the image; the lists are then empty. */
  readonly nodePodsAccessible?: boolean;
}

/**
 * The record of a pulled image. Source: kubernetes v1.36 staging/src/k8s.io/kubelet/config/v1beta1/types.go
 * ImagePulledRecord.
 */
export interface PulledRecord {
  /** RFC 3339, whole seconds. */
  readonly lastUpdatedTime: string;
  readonly imageRef: string;
  /** By image name in the pod, without tag and digest. */
  readonly credentialMapping: Readonly<Record<string, ImagePullCredentials>>;
}

/** The entry for a pull with this credential; undefined stands for an anonymous pull. */
export function pullCredentialsOf(credential: TrackedCredential | undefined): ImagePullCredentials {
  if (credential === undefined || credential.source.kind === 'node') return { nodePodsAccessible: true };
  const { kind, uid, namespace, name } = credential.source;
  return kind === 'secret'
    ? { kubernetesSecrets: [{ uid, namespace, name, credentialHash: credential.hash }] }
    : { kubernetesServiceAccounts: [{ uid, namespace, name }] };
}
