import { badRequest, conflict, forbidden, generateName, invalid } from '@podwright/api-machinery';
import {
  configHashAnnotation,
  findApiReferences,
  localAnnotations,
  podFullName,
  podSource,
  systemClusterCritical,
  systemCriticalPriority,
  systemNodeCritical,
  type ConfigMap,
  type ObjectMeta,
  type Pod,
  type Secret,
} from '@podwright/kube-types';
import type { LocalObject } from '@podwright/local-objects-interface';
import { defaultPod, FieldErrors, validateConfigMap, validatePodCreate, validateSecret } from '@podwright/pod-manifest';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { Random } from '@podwright/time';
import type { LocalApiConfig } from '../local-api-config.js';
import { podResource, type StoredResource } from '../resources.js';

export interface AdmissionParts {
  readonly pods: Pick<PodManager, 'getPodByFullName'>;
  readonly random: Random;
}

/** What the path of a request says about its object; undefined: the path does not say. */
export interface Place {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** Turns what clients send into what the store keeps: defaulted, valid, and without what is not theirs to say. */
export class Admission {
  constructor(
    private readonly parts: AdmissionParts,
    private readonly config: LocalApiConfig,
  ) {}

  /** @throws ApiError 400, 403, 409 and 422, worded as an API server does. */
  admit(resource: StoredResource, given: LocalObject, place: Place): LocalObject {
    const object = { ...given, metadata: this.metadata(given.metadata ?? {}, place) };
    const admitted = resource.stored === 'Pod' ? this.pod(object as Pod) : object;
    const faults = new FieldErrors();
    // Nobody here would remove them.
    if ((admitted.metadata?.finalizers ?? []).length > 0)
      faults.forbidden('metadata.finalizers', 'objects of the local API may not have finalizers');
    faults.list.push(...this.validate(resource, admitted));
    const name = admitted.metadata?.name ?? '';
    if (faults.list.length > 0) throw invalid('', resource.stored, name, faults.list);
    if (resource.stored === 'Pod') this.refuseOthers(admitted as Pod);
    return admitted;
  }

  /** @throws ApiError 409 when a pod of another source has the name. */
  private refuseOthers(pod: Pod): void {
    const source = this.otherSource(pod.metadata.namespace ?? '', pod.metadata.name ?? '');
    if (source !== undefined)
      throw conflict(podResource, pod.metadata.name ?? '', `a pod of the source ${source} has this name`);
  }

  /** The source of the pod with this name, if that is not the local API. */
  otherSource(namespace: string, name: string): string | undefined {
    const pod = this.parts.pods.getPodByFullName(podFullName({ metadata: { namespace, name } } as Pod));
    const source = pod && podSource(pod);
    return source === 'local' ? undefined : source;
  }

  private metadata(given: ObjectMeta, place: Place): ObjectMeta {
    const { generateName: prefix, labels, annotations, ownerReferences, finalizers } = given;
    if (place.namespace !== undefined && given.namespace && given.namespace !== place.namespace)
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    const named = given.name || (prefix && place.name === undefined ? generateName(prefix, this.parts.random) : '');
    if (place.name !== undefined && named && named !== place.name)
      throw badRequest(`the name of the object (${named}) does not match the name on the URL (${place.name})`);
    const kept = Object.entries(annotations ?? {}).filter(([name]) => !kubeletsAnnotations.includes(name));
    return {
      name: place.name ?? named,
      ...(prefix && { generateName: prefix }),
      namespace: place.namespace ?? (given.namespace || 'default'),
      ...(labels && Object.keys(labels).length > 0 && { labels }),
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
      ...(ownerReferences && { ownerReferences }),
      ...(finalizers && { finalizers }),
    };
  }

  private pod({ apiVersion, kind, metadata, spec }: Pod): Pod {
    const { containers = [] } = spec ?? {};
    const given: Pod = {
      ...(apiVersion !== undefined && { apiVersion }),
      ...(kind !== undefined && { kind }),
      metadata,
      spec: { ...spec, containers, nodeName: this.config.nodeName },
    };
    const pod = defaultPod(given, this.config);
    const { status: _status, ...rest } = pod;
    return { ...rest, spec: withPriority(rest) };
  }

  private validate({ stored }: StoredResource, object: LocalObject): FieldErrors['list'] {
    if (stored === 'ConfigMap') return [...validateConfigMap(object as ConfigMap)];
    if (stored === 'Secret') return [...validateSecret(object as Secret)];
    const errors = new FieldErrors();
    errors.list.push(...validatePodCreate(object as Pod, this.config));
    for (const { resource, field } of findApiReferences(object as Pod)) {
      if (resource !== 'secrets' && resource !== 'configmaps')
        errors.forbidden(field, `pods of the local API may not reference ${resource}`);
    }
    return errors.list;
  }
}

// They are the kubelet's. A client that puts back what it got sends them too.
const kubeletsAnnotations = [...localAnnotations, configHashAnnotation];

// As kubernetes v1.36 pkg/apis/scheduling SystemPriorityClasses.
const priorities: Readonly<Record<string, number>> = {
  [systemClusterCritical]: systemCriticalPriority,
  [systemNodeCritical]: systemCriticalPriority + 1000,
};

function withPriority({ metadata, spec }: Pod): Pod['spec'] {
  const { priorityClassName } = spec;
  if (!priorityClassName) return spec;
  const priority = Object.hasOwn(priorities, priorityClassName) ? priorities[priorityClassName] : undefined;
  if (priority === undefined)
    throw forbidden(podResource, metadata.name ?? '', `no PriorityClass with name ${priorityClassName} was found`);
  return { ...spec, priority };
}
