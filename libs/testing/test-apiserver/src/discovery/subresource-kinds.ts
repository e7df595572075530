import type { ApiResource } from '../resources/api-resource.js';

/** The kind and verbs of a subresource; `group` and `version` only when they differ from the resource's. */
export interface SubresourceKind {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

const statusVerbs = ['get', 'patch', 'update'];
const anyMethod = ['create', 'delete', 'get', 'patch', 'update'];

const special: Readonly<Record<string, SubresourceKind>> = {
  'pods/attach': { kind: 'PodAttachOptions', verbs: ['create', 'get'] },
  'pods/binding': { kind: 'Binding', verbs: ['create'] },
  'pods/eviction': { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  'pods/exec': { kind: 'PodExecOptions', verbs: ['create', 'get'] },
  'pods/log': { kind: 'Pod', verbs: ['get'] },
  'pods/portforward': { kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
  'nodes/proxy': { kind: 'NodeProxyOptions', verbs: anyMethod },
  'serviceaccounts/token': {
    kind: 'TokenRequest',
    group: 'authentication.k8s.io',
    version: 'v1',
    verbs: ['create'],
  },
  'namespaces/finalize': { kind: 'Namespace', verbs: ['update'] },
};

/** The kind and verbs of a subresource, as in discovery of kubernetes v1.36. */
export function subresourceKind({ plural, kind }: ApiResource, subresource: string): SubresourceKind {
  return special[`${plural}/${subresource}`] ?? { kind, verbs: statusVerbs };
}
