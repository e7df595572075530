import { badRequest, conflict, modifiedMeanwhile, notFound, type ApiObject } from '@podwright/api-machinery';
import { objectKey, type Pod } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import type { ServerContext } from '../registry/server-context.js';
import { asPod } from '../strategies/pod-strategy.js';
import { withCondition } from './pod-conditions.js';

interface Binding extends ApiObject {
  readonly target?: { readonly kind?: string; readonly name?: string };
}

/**
 * Binds a pod to the node of a Binding; returns the stored pod. Source: kubernetes v1.36
 * pkg/registry/core/pod/storage/storage.go.
 */
export function bindPod(
  { store, table, clock }: ServerContext,
  { namespace, name, binding }: { readonly namespace: string; readonly name: string; readonly binding: Binding },
): ApiObject {
  const given = binding.metadata.name;
  if (given !== undefined && given !== '' && given !== name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const { kind = 'Node', name: node = '' } = binding.target ?? {};
  if (kind !== 'Node' && kind !== '')
    throw badRequest('target.kind: Unsupported value: supported values: "Node", "<empty>"');
  if (node === '') throw badRequest('target.name: Required value');
  const resource = table.get('pods');
  const found = store.get('pods', objectKey(namespace, name));
  if (found === undefined) throw notFound(resource, name);
  const refuse = (why: string): never => {
    throw conflict({ group: '', plural: 'pods/binding' }, name, why);
  };
  const pod: Pod = asPod(found);
  const { uid, resourceVersion } = binding.metadata;
  if (uid && uid !== pod.metadata.uid) {
    refuse(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid ?? ''}`);
  }
  if (resourceVersion && resourceVersion !== pod.metadata.resourceVersion) {
    throw conflict(resource, name, modifiedMeanwhile);
  }
  if (pod.metadata.deletionTimestamp !== undefined)
    refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec.nodeName) refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  if ((pod.spec.schedulingGates ?? []).length > 0) refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  const status = withCondition(pod.status, { type: 'PodScheduled', status: 'True' }, formatRfc3339(clock.now()));
  const { nominatedNodeName: _nominated, ...rest } = status;
  return store.put('pods', objectKey(namespace, name), {
    ...found,
    metadata: {
      ...found.metadata,
      ...(binding.metadata.annotations && {
        annotations: { ...found.metadata.annotations, ...binding.metadata.annotations },
      }),
      ...(binding.metadata.labels && { labels: { ...found.metadata.labels, ...binding.metadata.labels } }),
    },
    spec: { ...pod.spec, nodeName: node },
    status: rest,
  });
}
