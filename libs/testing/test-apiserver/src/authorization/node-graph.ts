import type { ApiObject } from '@podwright/api-machinery';
import { configMirrorAnnotation, isJsonObject, objectKey, type Pod } from '@podwright/kube-types';
import type { ObjectIndex } from '../store/object-index.js';
import type { ObjectStore } from '../store/object-store.js';
import { asPod, nodesOfPod } from '../strategies/pod-strategy.js';
import { referencesOf, type PodReferences } from './pod-references.js';

/**
 * Finds the objects that a node's pods refer to. It searches the pods of the node on each call, instead of
 * keeping a graph. Source: kubernetes v1.36 plugin/pkg/auth/authorizer/node/graph.go.
 */
export class NodeGraph {
  private readonly podsByNode: ObjectIndex;

  constructor(private readonly store: ObjectStore) {
    this.podsByNode = store.index(nodesOfPod, 'pods');
  }

  pod(node: string, namespace: string, name: string): boolean {
    const pod = this.store.get('pods', objectKey(namespace, name));
    return pod !== undefined && nodeOf(pod) === node;
  }

  secret(node: string, namespace: string, name: string): boolean {
    if (this.refers(node, namespace, ({ secrets }) => secrets.has(name))) return true;
    return [...this.store.values('persistentvolumes')].some(
      (volume) => secretOfVolume(volume, namespace, name) && this.volume(node, volume.metadata.name ?? ''),
    );
  }

  configMap(node: string, namespace: string, name: string): boolean {
    return this.refers(node, namespace, ({ configMaps }) => configMaps.has(name));
  }

  claim(node: string, namespace: string, name: string): boolean {
    return this.refers(node, namespace, ({ claims }) => claims.has(name));
  }

  resourceClaim(node: string, namespace: string, name: string): boolean {
    return this.refers(node, namespace, ({ resourceClaims }) => resourceClaims.has(name));
  }

  serviceAccount(node: string, namespace: string, name: string): boolean {
    return [...this.podsOf(node, namespace)].some(({ spec }) => spec.serviceAccountName === name);
  }

  volume(node: string, name: string): boolean {
    const claim = (this.store.get('persistentvolumes', name)?.spec as VolumeSpec | undefined)?.claimRef;
    return claim !== undefined && this.claim(node, claim.namespace ?? '', claim.name ?? '');
  }

  /** For a resource whose objects name their node in `spec.nodeName`: whether the object names this node. */
  named(resource: string, node: string, namespace: string, name: string): boolean {
    const object = this.store.get(resource, objectKey(namespace, name));
    return object !== undefined && nodeOf(object) === node;
  }

  private refers(node: string, namespace: string, test: (references: PodReferences) => boolean): boolean {
    for (const pod of this.podsOf(node, namespace)) if (test(referencesOf(pod))) return true;
    return false;
  }

  /** The pods bound to the node, except mirror pods: a node must not gain access by creating one. */
  private *podsOf(node: string, namespace: string): Generator<Pod> {
    for (const { object } of this.podsByNode.find(node)) {
      const pod = asPod(object);
      const mirror = pod.metadata.annotations?.[configMirrorAnnotation] !== undefined;
      if (pod.metadata.namespace === namespace && !mirror) yield pod;
    }
  }
}

interface VolumeSpec {
  readonly claimRef?: { readonly namespace?: string; readonly name?: string };
  readonly azureFile?: { readonly secretName?: string; readonly secretNamespace?: string };
}

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

function nodeOf(object: ApiObject): string | undefined {
  return (object.spec as { readonly nodeName?: string } | undefined)?.nodeName;
}

// Kubelets do not read the secrets of the controllers' calls. Source: kubernetes v1.36
// pkg/api/v1/persistentvolume/util.go VisitPVSecretNames.
const kubeletSecretFields = ['secretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

function secretOfVolume({ spec }: ApiObject, namespace: string, name: string): boolean {
  const { claimRef, azureFile, ...sources } = (spec ?? {}) as VolumeSpec;
  const names = ({ name: of, namespace: at = claimRef?.namespace }: SecretReference): boolean =>
    of === name && at === namespace;
  const { secretName, secretNamespace } = azureFile ?? {};
  if (secretName !== undefined && names({ name: secretName, ...(secretNamespace && { namespace: secretNamespace }) })) {
    return true;
  }
  return Object.values(sources).some(
    (source) =>
      isJsonObject(source) &&
      kubeletSecretFields.some((field) => isJsonObject(source[field]) && names(source[field] as SecretReference)),
  );
}
