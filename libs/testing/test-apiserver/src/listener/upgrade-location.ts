import { badRequest } from '@podwright/api-machinery';
import { attributesOf } from '../authorization/attributes.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { ApiRequest } from '../http/api-request.js';
import { parseResourceTarget } from '../http/resource-target.js';
import type { KubeletLocation } from '../kubelet-proxy/kubelet-location.js';
import type { KubeletProxy } from '../kubelet-proxy/kubelet-proxy.js';
import type { ResourceTable } from '../resources/resource-table.js';

const upgradable = ['pods/exec', 'pods/attach', 'pods/portforward', 'nodes/proxy'];

/** Authorizes an upgrade; returns the kubelet's address. @throws ApiError when it is forbidden, or has no kubelet. */
export function upgradeLocation(
  table: ResourceTable,
  authorizer: Authorizer,
  proxy: KubeletProxy,
  request: ApiRequest,
): KubeletLocation {
  const target = parseResourceTarget(table, request);
  if (target === undefined || !upgradable.includes(`${target.resource.plural}/${target.subresource}`)) {
    throw badRequest('this path cannot be upgraded');
  }
  authorizer.check(attributesOf(request.user, target, []));
  const location = proxy.locate({ target, query: request.query });
  if (location === undefined) throw badRequest('this path cannot be upgraded');
  return location;
}
