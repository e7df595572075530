import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Pod } from '@podwright/kube-types';
import { decodePodManifest } from '@podwright/pod-manifest';
import { parseAllDocuments } from 'yaml';

/** An object in a manifest; only the API server checks its other fields. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name?: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

export interface ClusterManifest {
  readonly file: string;
  readonly object: ManifestObject;
}

// The files that kubectl reads from a folder.
const isManifest = (name: string): boolean => /\.(json|yaml|yml)$/.test(name);

/**
 * Reads the objects of one file, or of a folder in the order of the file names. A file may have several documents and
 * lists; objects may be of any kind. Throws with the file's name for a document that is no object, or for an invalid
 * pod.
 */
export function readClusterManifests(place: string): readonly ClusterManifest[] {
  const files = statSync(place).isDirectory()
    ? readdirSync(place)
        .filter(isManifest)
        .sort()
        .map((name) => path.join(place, name))
    : [place];
  const manifests = files.flatMap((file) => objectsOf(file).map((object) => ({ file, object })));
  for (const manifest of manifests) if (manifest.object.kind === 'Pod') podOf(manifest);
  return manifests;
}

/** Images of the pods in the manifests. */
export function imagesOfPods(manifests: readonly ClusterManifest[]): readonly string[] {
  return manifests
    .filter(({ object }) => object.kind === 'Pod')
    .flatMap((manifest) => {
      const { initContainers, containers } = podOf(manifest).spec;
      return [...(initContainers ?? []), ...containers];
    })
    .flatMap(({ image }) => (image === undefined ? [] : [image]));
}

/** kubectl's arguments for the first container of the first named pod; undefined when there is no named pod. */
export function kubectlTarget(manifests: readonly ClusterManifest[]): string | undefined {
  const manifest = manifests.find(({ object }) => object.kind === 'Pod' && object.metadata.name !== undefined);
  if (manifest === undefined) return undefined;
  const { name = '', namespace = 'default' } = manifest.object.metadata;
  const [container] = podOf(manifest).spec.containers;
  const place = namespace === 'default' ? '' : `-n ${namespace} `;
  return `${place}${name}${container === undefined ? '' : ` -c ${container.name}`}`;
}

const podOf = ({ object, file }: ClusterManifest): Pod => decodePodManifest(JSON.stringify(object), file);

function objectsOf(file: string): readonly ManifestObject[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'), { version: '1.1', merge: true });
  return [...documents].flatMap((document) => {
    const [fault] = document.errors;
    if (fault !== undefined) throw new Error(`${file}: ${fault.message}`);
    const value: unknown = document.toJS();
    return value === null ? [] : takenApart(value, file);
  });
}

function takenApart(value: unknown, file: string): readonly ManifestObject[] {
  const { apiVersion, kind, metadata, items } = (typeof value === 'object' ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new Error(`${file}: a document without apiVersion and kind is no Kubernetes object`);
  }
  if (kind.endsWith('List') && Array.isArray(items)) return items.flatMap((item) => takenApart(item, file));
  if (typeof metadata !== 'object' || metadata === null) throw new Error(`${file}: the ${kind} has no metadata`);
  return [value as ManifestObject];
}
