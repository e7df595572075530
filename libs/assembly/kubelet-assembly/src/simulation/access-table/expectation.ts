import { users, type Caller, type Rights } from './callers.js';
import type { Endpoint } from './endpoints.js';

export const methods = ['GET', 'POST'] as const;
export type Method = (typeof methods)[number];

/** Whether the kubelet accepts requests without credentials as `system:anonymous`, who has no rights. */
export interface Setting {
  readonly anonymous: boolean;
}

const verbs: Readonly<Record<Method, string>> = { GET: 'get', POST: 'create' };

/** The verb in the access review. */
export function verbOf(method: Method, { intoPods }: Pick<Endpoint, 'intoPods'>): string {
  return intoPods === true ? 'create' : verbs[method];
}

export function mayAsk(rights: Rights, method: Method, endpoint: Endpoint): boolean {
  if (rights === 'everything') return true;
  return endpoint.asks.some((subresource) => rights.includes(`${verbOf(method, endpoint)} ${subresource}`));
}

export interface Expected {
  readonly status: number;
  /** Exact body of a refusal. */
  readonly body?: string;
}

export function expected(caller: Caller, method: Method, endpoint: Endpoint, { anonymous }: Setting): Expected {
  if (endpoint.nowhere === true) return { status: 404, body: '404 page not found\n' };
  const { is } = caller;
  if (is === 'unauthorized' || (is === 'no credentials' && !anonymous)) return { status: 401, body: 'Unauthorized' };
  const user = is === 'no credentials' ? 'system:anonymous' : is;
  if (is !== 'no credentials' && mayAsk(users[is], method, endpoint)) return { status: endpoint.status[method] };
  const about = `user=${user}, verb=${verbOf(method, endpoint)}, resource=nodes, subresource(s)=[${endpoint.asks.join(' ')}]`;
  return { status: 403, body: `Forbidden (${about})\n` };
}
