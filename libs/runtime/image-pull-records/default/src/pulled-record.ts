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

/** Who may use an image under one of its names. */
export interface ImagePullCredentials {
  readonly kubernetesSecrets?: readonly ImagePullSecret[];
  readonly kubernetesServiceAccounts?: readonly ImagePullServiceAccount[];
  /** Every pod of the node may; then the lists are empty. */
  readonly nodePodsAccessible?: boolean;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/kubelet/config/v1beta1/types.go ImagePulledRecord. */
export interface PulledRecord {
  /** RFC 3339, whole seconds. */
  readonly lastUpdatedTime: string;
  readonly imageRef: string;
  /** By the name in the pod without tag and digest. */
  readonly credentialMapping: Readonly<Record<string, ImagePullCredentials>>;
}

/** What a record says of a pull with this credential; undefined: without any. */
export function pullCredentialsOf(credential: TrackedCredential | undefined): ImagePullCredentials {
  if (credential === undefined || credential.source.kind === 'node') return { nodePodsAccessible: true };
  const { kind, uid, namespace, name } = credential.source;
  return kind === 'secret'
    ? { kubernetesSecrets: [{ uid, namespace, name, credentialHash: credential.hash }] }
    : { kubernetesServiceAccounts: [{ uid, namespace, name }] };
}

/** Now, as it stands in a record. */
export function recordTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
