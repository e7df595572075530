import { isJsonObject, type JsonObject } from '@podwright/kube-types';
import type { ApiObject, Resource } from '../client/resources.js';
import { storedResources } from '../client/resources.js';
import { CommandError, throwCollected } from '../command-error.js';
import type { ManifestObject } from './read-documents.js';
import { workloadPod, workloads } from './workload-pod.js';

/** An object that can be put. */
export interface Manifest {
  readonly place: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

export interface NamespaceChoice {
  readonly namespace: string;
  /** True when the user named it: objects of other namespaces are refused then. */
  readonly isExplicit: boolean;
}

const supported =
  'podwright takes Pod, ConfigMap, Secret and List, and Deployment, DaemonSet and Job, of which it runs one pod';

/**
 * Checks the kind, name and namespace of every object; config maps and secrets come first, because pods wait for them.
 * @throws CommandErrors that name each object that cannot be taken, before anything was sent.
 */
export function readManifests(objects: readonly ManifestObject[], choice: NamespaceChoice): readonly Manifest[] {
  const manifests: Manifest[] = [];
  const errors: CommandError[] = [];
  for (const each of objects) {
    const read = manifestOf(each, choice);
    if (typeof read === 'string') errors.push(new CommandError(`${each.place}: ${read}`));
    else manifests.push(read);
  }
  throwCollected(errors);
  const isPod = ({ resource }: Manifest): boolean => resource.kind === 'Pod';
  return [...manifests.filter((each) => !isPod(each)), ...manifests.filter(isPod)];
}

/** A fault as text. */
function manifestOf({ place, object }: ManifestObject, choice: NamespaceChoice): Manifest | string {
  const { apiVersion, kind } = object;
  if (typeof kind !== 'string' || kind === '') return "Object 'Kind' is missing";
  if (typeof apiVersion !== 'string' || apiVersion === '') return "Object 'apiVersion' is missing";
  if (workloads[kind] === apiVersion) {
    const made = workloadPod(object);
    if (typeof made === 'string') return made;
    const manifest = manifestOf({ place, object: made.pod }, choice);
    return typeof manifest === 'string' ? manifest : { ...manifest, warnings: made.warnings };
  }
  const { name, namespace: own = '' } = isJsonObject(object.metadata) ? object.metadata : ({} as JsonObject);
  const resource = storedResources.find((candidate) => candidate.kind === kind);
  if (resource === undefined || apiVersion !== 'v1') {
    return `${kind} ${JSON.stringify(name ?? '')} (${apiVersion}) is not supported: ${supported}`;
  }
  if (name === undefined || name === '') return `${kind} has no name`;
  // YAML reads an unquoted `1`, `y` or `on` as something else than text.
  if (typeof name !== 'string') return `${kind}: metadata.name must be a string, not ${JSON.stringify(name)}`;
  if (typeof own !== 'string')
    return `${kind} "${name}": metadata.namespace must be a string, not ${JSON.stringify(own)}`;
  const namespace = own === '' ? choice.namespace : own;
  if (choice.isExplicit && namespace !== choice.namespace) {
    return `the namespace from the provided object ${JSON.stringify(namespace)} does not match the namespace ${JSON.stringify(choice.namespace)}. You must pass '--namespace=${namespace}' to perform this operation.`;
  }
  const sent = { ...object, metadata: { ...(object.metadata as JsonObject), namespace } } as unknown as ApiObject;
  return { place, resource, namespace, name, object: sent, warnings: [] };
}
