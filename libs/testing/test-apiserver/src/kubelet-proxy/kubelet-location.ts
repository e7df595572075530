import { badRequest, kubeletPath, type StreamedSubresource, notFound, type ApiObject } from '@podwright/api-machinery';
import { objectKey, type Node, type Pod } from '@podwright/kube-types';
import type { ResourceTarget } from '../http/api-request.js';
import { nodes, pods } from './proxied-resources.js';

/** The address and path of a request to a kubelet. */
export interface KubeletLocation {
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
}

/** Finds an object by its resource and key. */
export interface ObjectFinder {
  get(resource: string, key: string): ApiObject | undefined;
}

/** Upstream's --kubelet-preferred-address-types, as kubeadm sets it. */
const preferredAddresses = ['InternalIP', 'ExternalIP', 'Hostname'];

/**
 * The kubelet's address for a subresource of a pod or a node. Undefined for the log of a pod without a node, which is
 * empty.
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go LogLocation, streamLocation, and node/strategy.go.
 * @throws ApiError 404 for a missing pod or node, 400 for an invalid container or port.
 */
export function kubeletLocation(
  objects: ObjectFinder,
  target: ResourceTarget,
  query: URLSearchParams,
): KubeletLocation | undefined {
  if (target.resource.plural === 'nodes') {
    const text = query.toString();
    return onNode(objects, target.name, `/${target.rest}${text === '' ? '' : `?${text}`}`);
  }
  const { namespace, name, subresource } = target;
  const pod = objects.get('pods', objectKey(namespace, name)) as unknown as Pod | undefined;
  if (pod === undefined) throw notFound(pods, name);
  const node = pod.spec.nodeName ?? '';
  const path = kubeletPath(pod, subresource as StreamedSubresource, query);
  if (node === '' && subresource === 'log') return undefined;
  if (node === '') throw badRequest(`pod ${name} does not have a host assigned`);
  return onNode(objects, node, path);
}

// `nodes/n1:10255/proxy` names a port.
function onNode(objects: ObjectFinder, given: string, path: string): KubeletLocation {
  const [name = '', port] = given.replace(/^https?:/, '').split(':');
  const node = objects.get('nodes', name) as unknown as Node | undefined;
  if (node === undefined) throw notFound(nodes, name);
  const addresses = node.status?.addresses ?? [];
  const host = preferredAddresses
    .map((wanted) => addresses.find(({ type }) => type === wanted)?.address)
    .find((address) => address !== undefined && address !== '');
  if (host === undefined)
    throw badRequest(`no preferred addresses found; known addresses: ${JSON.stringify(addresses)}`);
  const own = node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return { host, port: Number(port ?? (own === 0 ? 10_250 : own)), path };
}
