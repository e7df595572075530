/**
 * Upstream's CredentialProvider with defaults, decoded and validated. Source: kubernetes v1.36
 * staging/src/k8s.io/kubelet/config/v1/types.go.
 */
export interface CredentialProviderConfig {
  readonly name: string;
  readonly matchImages: readonly string[];
  readonly defaultCacheDurationMs: number;
  /** Version of the exec protocol. */
  readonly apiVersion: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly tokenAttributes?: TokenAttributes;
}

export interface TokenAttributes {
  readonly serviceAccountTokenAudience: string;
  readonly cacheType: 'Token' | 'ServiceAccount';
  readonly requireServiceAccount: boolean;
  readonly requiredServiceAccountAnnotationKeys: readonly string[];
  readonly optionalServiceAccountAnnotationKeys: readonly string[];
}

/** Versions of the exec protocol; only the first supports service account tokens. */
export const protocolVersions = [
  'credentialprovider.kubelet.k8s.io/v1',
  'credentialprovider.kubelet.k8s.io/v1alpha1',
  'credentialprovider.kubelet.k8s.io/v1beta1',
] as const;
