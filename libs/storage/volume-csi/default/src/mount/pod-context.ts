import { goJson, goMap, type Pod } from '@podwright/kube-types';
import type { ServiceAccountTokens } from '@podwright/service-account-token-interface';
import type { CsiSource } from './csi-source.js';
import type { DriverRules } from './driver-rules.js';

const prefix = 'csi.storage.k8s.io/';

/** What a driver gets to know of the pod with `podInfoOnMount`. Source: kubernetes v1.36 pkg/volume/csi/csi_util.go. */
export function podInfo(
  { metadata, spec }: Pod,
  lifecycleMode: CsiSource['lifecycleMode'],
): Readonly<Record<string, string>> {
  return {
    [`${prefix}pod.name`]: metadata.name ?? '',
    [`${prefix}pod.namespace`]: metadata.namespace ?? '',
    [`${prefix}pod.uid`]: metadata.uid ?? '',
    [`${prefix}serviceAccount.name`]: spec.serviceAccountName ?? '',
    [`${prefix}ephemeral`]: String(lifecycleMode === 'Ephemeral'),
  };
}

/**
 * Tokens of the pod's service account, one for each audience that the driver asks for; empty when it asks for none.
 * Source: kubernetes v1.36 pkg/volume/csi/csi_mounter.go podServiceAccountTokenAttrs.
 */
export async function serviceAccountTokens(
  { metadata, spec }: Pod,
  requests: ReturnType<DriverRules['tokenRequests']>['requests'],
  tokens: Pick<ServiceAccountTokens, 'get'>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (requests.length === 0) return {};
  const { namespace = '', name = '', uid = '' } = metadata;
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
  const found = await Promise.all(
    requests.map(async ({ audience, expirationSeconds }) => {
      const request = {
        audiences: audience === '' ? [] : [audience],
        ...(expirationSeconds !== undefined && { expirationSeconds }),
        boundObjectRef,
      };
      const { token, expirationTimestamp } = await tokens.get(
        namespace,
        spec.serviceAccountName ?? '',
        request,
        signal,
      );
      return [audience, { token, expirationTimestamp }] as const;
    }),
  );
  return { [`${prefix}serviceAccount.tokens`]: goJson(goMap(found)) };
}
