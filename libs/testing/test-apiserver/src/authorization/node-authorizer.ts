import type { ResourceAttributes, Decision } from './attributes.js';
import { NodeGraph } from './node-graph.js';
import { nodesMay } from './node-rules.js';
import type { ObjectStore } from '../store/object-store.js';

const allow: Decision = { allowed: true, reason: '' };
const deny = (reason = ''): Decision => ({ allowed: false, reason });
const userPrefix = 'system:node:';
const leaseNamespace = 'kube-node-lease';

/** The name of the node that the user represents; empty when its user name lacks it; undefined for other users. */
export function nodeIdentity({ name, groups }: ResourceAttributes['user']): string | undefined {
  if (!name.startsWith(userPrefix) || !groups.includes('system:nodes')) return undefined;
  return name.slice(userPrefix.length);
}

type Related = (node: string, namespace: string, name: string) => boolean;

/**
 * Authorizes requests of kubelets, with upstream's reasons.
 * Source: kubernetes v1.36 plugin/pkg/auth/authorizer/node/node_authorizer.go.
 */
export class NodeAuthorizer {
  private readonly graph: NodeGraph;

  constructor(store: ObjectStore) {
    this.graph = new NodeGraph(store);
  }

  authorize(asked: ResourceAttributes): Decision {
    const node = nodeIdentity(asked.user);
    if (node === undefined) return deny();
    if (node === '') return deny(`unknown node for user "${asked.user.name}"`);
    return this.subdivided(node, asked) ?? (nodesMay(asked) ? allow : deny());
  }

  /** Decides about resources whose access depends on the node; undefined for all others. */
  private subdivided(node: string, asked: ResourceAttributes): Decision | undefined {
    const { graph } = this;
    switch (asked.group === '' ? asked.plural : `${asked.plural}.${asked.group}`) {
      case 'secrets':
        return readRelated(node, asked, (...of) => graph.secret(...of));
      case 'configmaps':
        return readRelated(node, asked, (...of) => graph.configMap(...of));
      case 'persistentvolumeclaims':
        if (asked.subresource === 'status') return claimStatus(node, asked, graph);
        return getRelated(node, asked, (...of) => graph.claim(...of));
      case 'persistentvolumes':
        return getRelated(node, asked, (of, _namespace, name) => graph.volume(of, name));
      case 'resourceclaims.resource.k8s.io':
        return getRelated(node, asked, (...of) => graph.resourceClaim(...of));
      case 'volumeattachments.storage.k8s.io':
        return getRelated(node, asked, (...of) => graph.named('volumeattachments.storage.k8s.io', ...of));
      case 'serviceaccounts':
        return serviceAccount(node, asked, graph);
      case 'leases.coordination.k8s.io':
        return lease(node, asked);
      case 'csinodes.storage.k8s.io':
        return csiNode(node, asked);
      case 'resourceslices.resource.k8s.io':
        return resourceSlice(node, asked, graph);
      case 'nodes':
        return ownNode(node, asked);
      case 'pods':
        return pods(node, asked, graph);
      case 'podcertificaterequests.certificates.k8s.io':
        return podCertificateRequest(node, asked, graph);
      default:
        return undefined;
    }
  }
}

function related(node: string, { namespace, name }: ResourceAttributes, test: Related): Decision {
  if (name === '') return deny('No Object name found');
  return test(node, namespace, name) ? allow : deny(unrelated(node));
}

function unrelated(node: string): string {
  return `no relationship found between node '${node}' and this object`;
}

function readRelated(node: string, asked: ResourceAttributes, test: Related): Decision {
  if (!['get', 'list', 'watch'].includes(asked.verb)) return deny('can only read resources of this type');
  if (asked.subresource !== '') return deny('cannot read subresource');
  if (asked.namespace === '') return deny('can only read namespaced object of this type');
  return related(node, asked, test);
}

function getRelated(node: string, asked: ResourceAttributes, test: Related): Decision {
  if (asked.verb !== 'get') return deny('can only get individual resources of this type');
  if (asked.subresource !== '') return deny('cannot get subresource');
  return related(node, asked, test);
}

function claimStatus(node: string, asked: ResourceAttributes, graph: NodeGraph): Decision {
  if (!['update', 'patch'].includes(asked.verb)) return deny('can only get/update/patch this type');
  return related(node, asked, (...of) => graph.claim(...of));
}

function serviceAccount(node: string, asked: ResourceAttributes, graph: NodeGraph): Decision {
  const { verb, subresource, namespace, name } = asked;
  const test: Related = (...of) => graph.serviceAccount(...of);
  if (verb === 'get' && subresource === '') return readRelated(node, asked, test);
  if (verb !== 'create' || name === '') return deny('can only create tokens for individual service accounts');
  if (subresource !== 'token') return deny('can only create token subresource of serviceaccount');
  return test(node, namespace, name) ? allow : deny(unrelated(node));
}

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete'];

function lease(node: string, { verb, namespace, name }: ResourceAttributes): Decision {
  if (!ownVerbs.includes(verb)) return deny('can only get, create, update, patch, or delete a node lease');
  if (namespace !== leaseNamespace) return deny(`can only access leases in the "${leaseNamespace}" system namespace`);
  if (verb !== 'create' && name !== node) {
    return deny('can only access node lease with the same name as the requesting node');
  }
  return allow;
}

function csiNode(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  if (!ownVerbs.includes(verb)) return deny('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return deny('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node)
    return deny('can only access CSINode with the same name as the requesting node');
  return allow;
}

function selectsNode(node: string, { fields }: ResourceAttributes): boolean {
  return fields.some(({ field, operator, value }) => field === 'spec.nodeName' && operator === '=' && value === node);
}

function resourceSlice(node: string, asked: ResourceAttributes, graph: NodeGraph): Decision {
  if (asked.subresource !== '') return deny('cannot authorize ResourceSlice subresources');
  switch (asked.verb) {
    case 'create':
      return allow;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return related(node, asked, (...of) => graph.named('resourceslices.resource.k8s.io', ...of));
    case 'watch':
    case 'list':
    case 'deletecollection':
      if (selectsNode(node, asked)) return allow;
      return deny('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return deny(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
  }
}

function ownNode(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  if (subresource === 'status') return ['update', 'patch'].includes(verb) ? allow : deny();
  if (subresource !== '') return deny();
  if (['create', 'update', 'patch'].includes(verb)) return allow;
  if (!['get', 'list', 'watch'].includes(verb)) return deny();
  if (name === node) return allow;
  if (name === '') return deny(`node '${node}' cannot read all nodes, only its own Node object`);
  return deny(`node '${node}' cannot read '${name}', only its own Node object`);
}

function pods(node: string, asked: ResourceAttributes, graph: NodeGraph): Decision {
  const { verb, subresource, name } = asked;
  const test: Related = (...of) => graph.pod(...of);
  if (subresource === 'status') return ['update', 'patch'].includes(verb) ? allow : deny();
  if (subresource === 'eviction') return verb === 'create' ? allow : deny();
  if (subresource !== '') return deny();
  switch (verb) {
    case 'get':
      return getRelated(node, asked, test);
    case 'list':
    case 'watch':
      if (selectsNode(node, asked)) return allow;
      if (name !== '') return related(node, asked, test);
      return deny('can only list/watch pods with spec.nodeName field selector');
    case 'create':
    case 'delete':
      return allow;
    default:
      return deny();
  }
}

function podCertificateRequest(node: string, asked: ResourceAttributes, graph: NodeGraph): Decision {
  if (asked.subresource !== '') return deny('nodes may not access the status subresource of PodCertificateRequests');
  switch (asked.verb) {
    case 'create':
      return allow;
    case 'get':
      return related(node, asked, (...of) => graph.named('podcertificaterequests.certificates.k8s.io', ...of));
    case 'list':
    case 'watch':
      if (selectsNode(node, asked)) return allow;
      return deny('can only list/watch podcertificaterequests with nodeName field selector');
    default:
      return deny(`nodes may not ${asked.verb} podcertificaterequests`);
  }
}
