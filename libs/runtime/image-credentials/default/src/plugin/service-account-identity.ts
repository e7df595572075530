import { createHash } from 'node:crypto';
import { KubeletError, messageOf } from '@podwright/errors';
import type { CredentialSource } from '@podwright/image-credentials-interface';
import type { KubeClient, ResourceType } from '@podwright/kube-client-interface';
import { podUid, type Pod, type ServiceAccount } from '@podwright/kube-types';
import type { ServiceAccountTokens } from '@podwright/service-account-token-interface';
import type { TokenAttributes } from './provider-config.js';

const serviceAccounts: ResourceType<ServiceAccount & { metadata: NonNullable<ServiceAccount['metadata']> }> = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};

/**
 * The service account data for a plugin request, and the keys that separate the answers for different service accounts.
 */
export interface ServiceAccountIdentity {
  /** Empty when the pod has no service account and the plugin does not need one. */
  readonly token: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Part of the key of cached answers; empty without a service account. */
  readonly cacheKey: string;
  /** Part of the key of running calls; empty without a service account. */
  readonly callKey: string;
  readonly source: CredentialSource;
}

export interface ServiceAccountDeps {
  /** Absent without an API server. */
  readonly client?: Pick<KubeClient, 'get'>;
  readonly tokens?: Pick<ServiceAccountTokens, 'get'>;
}

/** For plugins that do not act for a service account. */
export const noServiceAccount: ServiceAccountIdentity = {
  token: '',
  annotations: {},
  cacheKey: '',
  callKey: '',
  source: { kind: 'node' },
};

/**
 * The identity for a plugin request. Undefined when the plugin does not serve this pod: it requires a service account
 * and the pod has none, or the account lacks a required annotation. Rejects when the account or token cannot be
 * fetched. Source: kubernetes v1.36 pkg/credentialprovider/plugin/plugin.go.
 */
export async function serviceAccountIdentity(
  attributes: TokenAttributes,
  pod: Pod,
  { client, tokens }: ServiceAccountDeps,
  signal: AbortSignal,
): Promise<ServiceAccountIdentity | undefined> {
  const { serviceAccountName: name = '' } = pod.spec;
  const namespace = pod.metadata.namespace ?? '';
  if (name === '') return attributes.requireServiceAccount ? undefined : noServiceAccount;
  if (client === undefined || tokens === undefined) {
    throw failed('failed to get service account: cannot get ServiceAccounts when kubelet is in standalone mode');
  }
  const account = await client.get(serviceAccounts, { namespace, name }, { signal }).catch((error: unknown) => {
    throw failed(`failed to get service account: ${messageOf(error)}`, error);
  });
  const annotations = annotationsOf(attributes, account.metadata.annotations ?? {});
  if (annotations === undefined) return undefined;
  const { uid = '' } = account.metadata;
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name ?? '', uid: podUid(pod) };
  const spec = { audiences: [attributes.serviceAccountTokenAudience], boundObjectRef };
  const { token } = await tokens
    .get(namespace, name, { ...spec, serviceAccountUid: uid }, signal)
    .catch((error: unknown) => {
      throw failed(`failed to get service account token: ${messageOf(error)}`, error);
    });
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const named = Object.entries(annotations).sort(([one], [other]) => (one < other ? -1 : 1));
  const keyParts = [namespace, name, uid, named];
  return {
    token,
    annotations,
    cacheKey: JSON.stringify(attributes.cacheType === 'Token' ? [...keyParts, 'token', tokenHash] : keyParts),
    callKey: JSON.stringify([tokenHash, named]),
    source: { kind: 'service-account', uid, namespace, name },
  };
}

/**
 * The annotations that the plugin wants; undefined when a required one is missing, because workloads opt in with it.
 */
function annotationsOf(
  attributes: TokenAttributes,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const value = (key: string): string | undefined => (Object.hasOwn(given, key) ? given[key] : undefined);
  const { requiredServiceAccountAnnotationKeys: required, optionalServiceAccountAnnotationKeys: optional } = attributes;
  if (required.some((key) => value(key) === undefined)) return undefined;
  const found = [...required, ...optional].flatMap((key) => {
    const text = value(key);
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(found);
}

function failed(message: string, cause?: unknown): KubeletError {
  const code = cause === undefined ? 'failed-precondition' : KubeletError.from(cause).code;
  return new KubeletError(message, { code, ...(cause !== undefined && { cause }) });
}
