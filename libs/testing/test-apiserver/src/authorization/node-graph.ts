import { configMirrorAnnotation, type Pod } from '@podwright/kube-types';
import type { ApiObject } from '../api-object.js';
import { objectKey } from '../registry/object-key.js';
import type { ObjectStore } from '../store/object-store.js';
import { referencesOf, type PodReferences } from './pod-references.js';

/**
 * Which objects concern a node: found by looking at the pods bound to it at the moment of the question, so that there is no
 * graph to keep. Source: kubernetes v1.36 plugin/pkg/auth/authorizer/node/graph.go.
 */
export class NodeGraph {
  constructor(private readonly store: ObjectStore) {}

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

  /** A resource whose objects name the node in `spec.nodeName`. */
  named(resource: string, node: string, namespace: string, name: string): boolean {
    const object = this.store.get(resource, objectKey(namespace, name));
    return object !== undefined && nodeOf(object) === node;
  }

  private refers(node: string, namespace: string, test: (references: PodReferences) => boolean): boolean {
    for (const pod of this.podsOf(node, namespace)) if (test(referencesOf(pod))) return true;
    return false;
  }

  /** Pods bound to the node, without mirror pods: a node must not give itself access by making one. */
  private *podsOf(node: string, namespace: string): Generator<Pod> {
    for (const object of this.store.values('pods')) {
      const pod = object as unknown as Pod;
      const mirror = pod.metadata.annotations?.[configMirrorAnnotation] !== undefined;
      if (pod.metadata.namespace === namespace && nodeOf(object) === node && !mirror) yield pod;
    }
  }
}

interface VolumeSpec {
  readonly claimRef?: { readonly namespace?: string; readonly name?: string };
  readonly csi?: Readonly<Record<string, unknown>>;
}

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

function nodeOf(object: ApiObject): string | undefined {
  return (object.spec as { readonly nodeName?: string } | undefined)?.nodeName;
}

function secretOfVolume(volume: ApiObject, namespace: string, name: string): boolean {
  const { csi = {} } = (volume.spec ?? {}) as VolumeSpec;
  return Object.entries(csi).some(
    ([field, value]) =>
      field.endsWith('SecretRef') &&
      (value as SecretReference).name === name &&
      (value as SecretReference).namespace === namespace,
  );
}
