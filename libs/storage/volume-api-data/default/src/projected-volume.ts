import { basename } from 'node:path';
import type { ClusterTrustBundles } from '@podwright/cluster-trust-bundle-interface';
import { KubeletError } from '@podwright/errors';
import type { Pod, VolumeProjection } from '@podwright/kube-types';
import type { CredentialBundle, PodCertificates } from '@podwright/pod-certificate-interface';
import type { ServiceAccountTokens } from '@podwright/service-account-token-interface';
import type { VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { createApiDataPlugin, type ApiDataDeps } from './api-data-mounter.js';
import { credentialOwner, type CredentialOwner } from './credential-owner.js';
import { collectDownwardApi, type NodeAllocatable } from './downward-api.js';
import { Failures } from './failures.js';
import { configMapFiles, requiredMode, secretFiles } from './object-files.js';
import { readConfigMap, readSecret, type ObjectSources } from './object-reader.js';
import type { FileProjection, Payload } from './payload.js';

export interface ProjectedSources extends ObjectSources {
  readonly tokens: Pick<ServiceAccountTokens, 'get' | 'deletePod'>;
  readonly trustBundles: Pick<ClusterTrustBundles, 'byName' | 'bySigner'>;
  readonly certificates: Pick<PodCertificates, 'credentialBundle'>;
  readonly nodeAllocatable: NodeAllocatable;
  /** Without an API server the whole volume is rejected, as upstream, whatever its sources are. */
  readonly hasApiServer: boolean;
}

/**
 * Volumes with files from several sources; a later source replaces files of an earlier one. Source: kubernetes v1.36
 * pkg/volume/projected.
 */
export function createProjectedPlugin(deps: ApiDataDeps, sources: ProjectedSources): VolumePlugin {
  const plugin = createApiDataPlugin(
    {
      name: 'kubernetes.io/projected',
      medium: 'Memory',
      canSupport: (volume) => volume.projected !== undefined,
      collect: (spec, signal) => collect(spec, sources, signal),
    },
    deps,
  );
  return {
    ...plugin,
    tearDown: async (podDir, volumeName) => {
      await plugin.tearDown(podDir, volumeName);
      sources.tokens.deletePod(basename(podDir)); // the pod's directory is named by its uid
    },
  };
}

async function collect({ volume, pod }: VolumeSpec, sources: ProjectedSources, signal: AbortSignal): Promise<Payload> {
  const defaultMode = requiredMode(volume.projected?.defaultMode);
  if (!sources.hasApiServer) {
    const message = `cannot setup projected volume ${volume.name} because kube client is not configured`;
    throw new KubeletError(message, { code: 'failed-precondition' });
  }
  const files = new Map<string, FileProjection>();
  const failures = new Failures();
  for (const [index, source] of (volume.projected?.sources ?? []).entries()) {
    try {
      const bundle = (): CredentialBundle => sources.certificates.credentialBundle(pod, volume.name, index);
      for (const [path, file] of await filesOf(source, pod, defaultMode, { ...sources, bundle }, signal)) {
        files.set(path, file);
      }
    } catch (error) {
      failures.add(error);
    }
  }
  failures.throwIfAny();
  return files;
}

async function filesOf(
  source: VolumeProjection,
  pod: Pod,
  defaultMode: number,
  sources: ProjectedSources & { readonly bundle: () => CredentialBundle },
  signal: AbortSignal,
): Promise<Payload> {
  const namespace = pod.metadata.namespace ?? '';
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (secret !== undefined) {
    const { name = '', items, optional = false } = secret;
    const found = await readSecret(sources, namespace, name, optional);
    return secretFiles(found, { ...(items !== undefined && { items }), defaultMode, optional });
  }
  if (configMap !== undefined) {
    const { name = '', items, optional = false } = configMap;
    const found = await readConfigMap(sources, namespace, name, optional);
    return configMapFiles(found, { ...(items !== undefined && { items }), defaultMode, optional });
  }
  if (downwardAPI !== undefined) {
    return collectDownwardApi(downwardAPI.items ?? [], pod, defaultMode, sources.nodeAllocatable);
  }
  const credential = credentialOwner(pod, defaultMode);
  if (serviceAccountToken !== undefined) {
    const token = await tokenFor(serviceAccountToken, pod, sources, signal);
    return new Map([[serviceAccountToken.path, { data: Buffer.from(token), ...credential }]]);
  }
  if (clusterTrustBundle !== undefined) {
    const anchors = await anchorsFor(clusterTrustBundle, sources);
    return new Map([[clusterTrustBundle.path, { data: Buffer.from(anchors), ...credential }]]);
  }
  if (podCertificate !== undefined) return certificateFiles(podCertificate, sources.bundle(), credential);
  return new Map();
}

/** Only the bundle is one file, so only there key and certificate always belong together. */
function certificateFiles(
  { credentialBundlePath, keyPath, certificateChainPath }: NonNullable<VolumeProjection['podCertificate']>,
  { privateKey, certificateChain }: CredentialBundle,
  credential: CredentialOwner,
): Payload {
  const texts = [
    [credentialBundlePath, privateKey + certificateChain],
    [keyPath, privateKey],
    [certificateChainPath, certificateChain],
  ] as const;
  return new Map(texts.flatMap(([path, text]) => (path ? [[path, { data: Buffer.from(text), ...credential }]] : [])));
}

async function tokenFor(
  { audience = '', expirationSeconds }: NonNullable<VolumeProjection['serviceAccountToken']>,
  { metadata, spec }: Pod,
  { tokens }: ProjectedSources,
  signal: AbortSignal,
): Promise<string> {
  const { namespace = '', name = '', uid = '' } = metadata;
  const request = {
    ...(audience !== '' && { audiences: [audience] }),
    ...(expirationSeconds !== undefined && { expirationSeconds }),
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
  };
  return (await tokens.get(namespace, spec.serviceAccountName ?? '', request, signal)).token;
}

async function anchorsFor(
  { name, signerName, labelSelector, optional = false }: NonNullable<VolumeProjection['clusterTrustBundle']>,
  { trustBundles }: ProjectedSources,
): Promise<string> {
  if (name !== undefined) return trustBundles.byName(name, optional);
  if (signerName !== undefined) return trustBundles.bySigner(signerName, labelSelector, optional);
  const message = 'ClusterTrustBundle projection requires either name or signerName to be set';
  throw new KubeletError(message, { code: 'invalid-argument' });
}
