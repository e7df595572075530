import { badRequest, notFound, type ApiObject } from '@podwright/api-machinery';
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

const logParameters = [
  'follow',
  'previous',
  'timestamps',
  'sinceSeconds',
  'sinceTime',
  'tailLines',
  'limitBytes',
  'stream',
];
const streamParameters: Readonly<Record<string, string>> = {
  stdin: 'input',
  stdout: 'output',
  stderr: 'error',
  tty: 'tty',
};

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
  const place = `${namespace}/${name}`;
  if (subresource === 'portforward') {
    if (node === '') throw badRequest(`pod ${name} does not have a host assigned`);
    const ports = query.getAll('ports').flatMap((list) => list.split(','));
    return onNode(
      objects,
      node,
      withQuery(
        `/portForward/${place}`,
        ports.map((port) => ['port', port]),
      ),
    );
  }
  const container = containerOf(pod, query.get('container') ?? '');
  if (subresource === 'log') {
    if (node === '') return undefined;
    const given = logParameters.flatMap((parameter): readonly Pair[] => {
      const value = query.get(parameter);
      return value === null || value === 'false' ? [] : [[parameter, value]];
    });
    return onNode(objects, node, withQuery(`/containerLogs/${place}/${container}`, given));
  }
  if (node === '') throw badRequest(`pod ${name} does not have a host assigned`);
  const streams = Object.entries(streamParameters).flatMap(([asked, sent]): readonly Pair[] =>
    ['true', '1'].includes(query.get(asked) ?? '') ? [[sent, '1']] : [],
  );
  const command = query.getAll('command').map((word): Pair => ['command', word]);
  return onNode(objects, node, withQuery(`/${subresource}/${place}/${container}`, [...streams, ...command]));
}

type Pair = readonly [string, string];

function withQuery(path: string, pairs: readonly Pair[]): string {
  return pairs.length === 0
    ? path
    : `${path}?${new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, value])).toString()}`;
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

/** The name of the container that the request names, or of the pod's only container. */
function containerOf({ metadata, spec }: Pod, asked: string): string {
  const names = (list: readonly { readonly name: string }[] | undefined): readonly string[] =>
    (list ?? []).map(({ name }) => name);
  const containers = names(spec.containers);
  const all = [...names(spec.initContainers), ...containers, ...names(spec.ephemeralContainers)];
  if (asked !== '') {
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${metadata.name ?? ''}`);
    return asked;
  }
  const [only] = containers;
  if (containers.length === 1 && only !== undefined) return only;
  const init = names(spec.initContainers);
  const others = init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${metadata.name ?? ''}, choose one of: [${containers.join(' ')}]${others}`,
  );
}
