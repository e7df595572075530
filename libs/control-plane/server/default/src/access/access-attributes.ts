import type { AccessAttributes } from '@podwright/server-auth-interface';
import type { RequestTarget } from '../request-target.js';

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** By the first element of the path; in the order in which they are asked for, any of them is enough. */
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

// What runs something in a container, or reaches into a pod.
const intoPods: ReadonlySet<string> = new Set(['exec', 'attach', 'run', 'portForward']);

/**
 * What the authorizer is asked, one question after the other until one is allowed. Exec, attach, run and port-forward count
 * as `create` whatever the HTTP method, because a WebSocket can only be opened by GET; `verbByMethod` does as upstream, where
 * whoever may `get` nodes/proxy may so run commands in every container of the node.
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
