import type { Pod, Volume } from '../objects.js';
import { visitContainers } from './containers.js';

/** A field of a pod that refers to an object of the API server. */
export interface ApiReference {
  /** Plural name of the resource, such as `secrets`. */
  readonly resource: string;
  /** Path of the field, such as `spec.volumes[0].secret`. */
  readonly field: string;
}

/**
 * The pod's references to API objects, in upstream's order. A static pod may have none, because nothing protects the
 * referenced objects. Source: kubernetes v1.36 pkg/api/pod/util.go HasAPIObjectReference.
 */
export function findApiReferences(pod: Pod): readonly ApiReference[] {
  const { spec } = pod;
  const found: ApiReference[] = [];
  if (spec.serviceAccountName || spec.serviceAccount) add(found, 'serviceaccounts', 'spec.serviceAccountName');
  (spec.imagePullSecrets ?? []).forEach((_, index) => add(found, 'secrets', `spec.imagePullSecrets[${index}]`));
  for (const { container, path } of visitContainers(spec)) {
    (container.envFrom ?? []).forEach((source, index) => {
      if (source.secretRef) add(found, 'secrets', `${path}.envFrom[${index}].secretRef`);
      if (source.configMapRef) add(found, 'configmaps', `${path}.envFrom[${index}].configMapRef`);
    });
    (container.env ?? []).forEach(({ valueFrom }, index) => {
      if (valueFrom?.secretKeyRef) add(found, 'secrets', `${path}.env[${index}].valueFrom.secretKeyRef`);
      if (valueFrom?.configMapKeyRef) add(found, 'configmaps', `${path}.env[${index}].valueFrom.configMapKeyRef`);
    });
  }
  (spec.resourceClaims ?? []).forEach((_, index) => add(found, 'resourceclaims', `spec.resourceClaims[${index}]`));
  (spec.volumes ?? []).forEach((volume, index) => found.push(...volumeReferences(volume, `spec.volumes[${index}]`)));
  return found;
}

/** Upstream's message about a static pod's first reference to an API object; undefined when the pod has none. */
export function staticPodReferenceFault(pod: Pod): string | undefined {
  const [first] = findApiReferences(pod);
  return first === undefined ? undefined : `static pods may not reference ${first.resource} (${first.field})`;
}

/**
 * As {@link staticPodReferenceFault}, with the gate PreventStaticPodAPIReferences off: only what could never work is a
 * fault. Source: kubernetes v1.36 pkg/kubelet/config/common.go tryDecodeSinglePod.
 */
export function staticPodUnusableReferenceFault({ spec }: Pod): string | undefined {
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined)) {
    return 'static pods may not use ClusterTrustBundle projected volume sources';
  }
  return (spec.resourceClaims ?? []).length > 0 ? 'static pods may not use ResourceClaims' : undefined;
}

function add(found: ApiReference[], resource: string, field: string): void {
  found.push({ resource, field });
}

const referencingSources = {
  secret: 'secrets',
  configMap: 'configmaps',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims',
  glusterfs: 'endpoints',
  azureFile: 'secrets',
} as const;
/** Volume sources with an optional `secretRef`. */
const secretRefSources = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'] as const;
const referencingProjections = {
  secret: 'secrets',
  configMap: 'configmaps',
  serviceAccountToken: 'serviceaccounts',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificaterequests',
} as const;

function* volumeReferences(volume: Volume, path: string): Generator<ApiReference> {
  for (const [source, resource] of entriesOf(referencingSources)) {
    if (volume[source]) yield { resource, field: `${path}.${source}` };
  }
  for (const source of secretRefSources) {
    if (volume[source]?.secretRef) yield { resource: 'secrets', field: `${path}.${source}.secretRef` };
  }
  if (volume.csi?.nodePublishSecretRef) yield { resource: 'secrets', field: `${path}.csi.nodePublishSecretRef` };
  for (const [index, projection] of (volume.projected?.sources ?? []).entries()) {
    for (const [source, resource] of entriesOf(referencingProjections)) {
      if (projection[source]) yield { resource, field: `${path}.projected.sources[${index}].${source}` };
    }
  }
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): readonly (readonly [K, V])[] {
  return Object.entries(record) as unknown as readonly (readonly [K, V])[];
}
