import type { KubeClient, KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { hasCode } from '@podwright/errors';

export interface ClusterTrustBundle extends KubeObject {
  readonly spec: { readonly signerName?: string; readonly trustBundle?: string };
}

/** Newest first. */
const versions = ['v1', 'v1beta1', 'v1alpha1'] as const;

/**
 * The newest version of the resource that the API server offers; undefined when it offers none. Rejects when the API
 * server does not answer.
 */
export async function findBundleResource(
  client: Pick<KubeClient, 'getText'>,
  signal: AbortSignal,
): Promise<ResourceType<ClusterTrustBundle> | undefined> {
  for (const version of versions) {
    const names = await resourcesOf(client, `/apis/certificates.k8s.io/${version}`, signal);
    if (!names.includes('clustertrustbundles')) continue;
    const place = { group: 'certificates.k8s.io', version, plural: 'clustertrustbundles' };
    return { ...place, kind: 'ClusterTrustBundle', namespaced: false };
  }
  return undefined;
}

async function resourcesOf(
  client: Pick<KubeClient, 'getText'>,
  path: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const list = JSON.parse(await client.getText(path, { signal })) as { resources?: readonly { name?: string }[] };
    return (list.resources ?? []).map(({ name = '' }) => name);
  } catch (error) {
    if (hasCode(error, 'not-found')) return [];
    throw error;
  }
}

/** Keeps only name, labels and content. */
export function slimBundle({ metadata, spec }: ClusterTrustBundle): ClusterTrustBundle {
  const { name, resourceVersion, labels } = metadata ?? {};
  return {
    metadata: {
      ...(name !== undefined && { name }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(labels !== undefined && { labels }),
    },
    spec,
  };
}
