import type { KubeObject } from '@podwright/kube-client-interface';
import { goQuote } from '@podwright/kube-types';
import type { TokenRequestSpec } from '@podwright/service-account-token-interface';

/** A TokenRequest of `authentication.k8s.io/v1`: body and answer of the subresource `token` of a service account. */
export interface TokenRequest extends KubeObject {
  readonly spec: TokenRequestSpec;
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

/**
 * Key of a cached token. Contains no secrets, as messages show it. In upstream's format, which prints Go values.
 * Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go keyFunc.
 */
export function tokenKey(namespace: string, name: string, spec: TokenRequestSpec): string {
  const { audiences, expirationSeconds = 0, boundObjectRef, serviceAccountUid = '' } = spec;
  const { kind = '', apiVersion = '', name: boundName = '', uid = '' } = boundObjectRef ?? {};
  const fields = Object.entries({ Kind: kind, APIVersion: apiVersion, Name: boundName, UID: uid });
  const reference = fields.map(([field, value]) => `${field}:${goQuote(value)}`).join(', ');
  const parts = [goQuote(name), goQuote(namespace), goStrings(audiences), expirationSeconds];
  return `${parts.join('/')}/v1.BoundObjectReference{${reference}}/${goQuote(serviceAccountUid)}`;
}

function goStrings(values: readonly string[] | undefined): string {
  return values === undefined ? '[]string(nil)' : `[]string{${values.map(goQuote).join(', ')}}`;
}
