import type { Pod } from '@podwright/kube-types';
import { badRequest } from '../status/api-error.js';

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

/** Subresources of pods that the pod's kubelet serves. */
export type StreamedSubresource = 'log' | 'exec' | 'attach' | 'portforward';

type Pair = readonly [string, string];

/**
 * The path and query in the kubelet's API for a request of a pod's subresource.
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go LogLocation, streamLocation.
 * @throws ApiError 400 for a container that the pod does not have, or that must be named.
 */
export function kubeletPath(pod: Pod, subresource: StreamedSubresource, query: URLSearchParams): string {
  const { namespace = '', name = '' } = pod.metadata;
  const place = `${namespace}/${name}`;
  if (subresource === 'portforward') {
    const ports = query.getAll('ports').flatMap((list) => list.split(','));
    return withQuery(
      `/portForward/${place}`,
      ports.map((port) => ['port', port]),
    );
  }
  const container = containerOf(pod, query.get('container') ?? '');
  if (subresource === 'log') {
    const given = logParameters.flatMap((parameter): readonly Pair[] => {
      const value = query.get(parameter);
      return value === null || value === 'false' ? [] : [[parameter, value]];
    });
    return withQuery(`/containerLogs/${place}/${container}`, given);
  }
  const streams = Object.entries(streamParameters).flatMap(([asked, sent]): readonly Pair[] =>
    ['true', '1'].includes(query.get(asked) ?? '') ? [[sent, '1']] : [],
  );
  const command = query.getAll('command').map((word): Pair => ['command', word]);
  return withQuery(`/${subresource}/${place}/${container}`, [...streams, ...command]);
}

function withQuery(path: string, pairs: readonly Pair[]): string {
  return pairs.length === 0
    ? path
    : `${path}?${new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, value])).toString()}`;
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
