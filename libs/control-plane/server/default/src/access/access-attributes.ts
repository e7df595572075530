import type { AccessAttributes } from '@podwright/server-auth-interface';
import type { RequestTarget } from '@podwright/http-router';

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Subresources of `nodes` by the first path element, in the order of the questions; one that is allowed is enough. */
const subresources: Readonly<Record<string, readonly string[]>> = {
  stats: ['stats'],
  metrics: ['metrics'],
  logs: ['log'],
  checkpoint: ['checkpoint'],
  statusz: ['statusz'],
  flagz: ['configz'],
  pods: ['pods', 'proxy'],
  runningpods: ['pods', 'proxy'],
  healthz: ['healthz', 'proxy'],
  configz: ['configz', 'proxy'],
};

// Endpoints that run a command in a container or connect to a pod.
const intoPods: ReadonlySet<string> = new Set(['exec', 'attach', 'run', 'portForward']);

/**
 * The questions for the authorizer, in order; the request is admitted as soon as it allows one. Exec, attach, run and
 * port-forward need `create` whatever the HTTP method, because a WebSocket can only be opened by GET. With
 * `verbByMethod` the method decides, as upstream: there, everyone who may `get` nodes/proxy can run commands in every
 * container of the node.
 * Source: kubernetes v1.36 pkg/kubelet/server/auth.go.
 */
export function accessAttributes(
  method: string,
  { path, elements }: Pick<RequestTarget, 'path' | 'elements'>,
  verbByMethod: boolean,
): readonly AccessAttributes[] {
  const first = elements[0] ?? '';
  const verb =
    intoPods.has(first) && !verbByMethod ? 'create' : Object.hasOwn(verbs, method) ? (verbs[method] ?? '') : '';
  const asked = Object.hasOwn(subresources, first) ? subresources[first] : undefined;
  return (asked ?? ['proxy']).map((subresource) => ({ verb, subresource, path }));
}
