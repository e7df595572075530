interface Rule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const rule = (group: string, resources: string, verbs: string): Rule => ({
  groups: group.split(' '),
  resources: resources.split(' '),
  verbs: verbs.split(' '),
});
const read = 'get list watch';

/**
 * The rights that all nodes have.
 * Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go NodeRules.
 */
const rules: readonly Rule[] = [
  rule('authentication.k8s.io', 'tokenreviews', 'create'),
  rule('authorization.k8s.io', 'subjectaccessreviews localsubjectaccessreviews', 'create'),
  rule('', 'services', read),
  { groups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'update', 'patch'] },
  rule('', 'endpoints', 'get'),
  rule('certificates.k8s.io', 'certificatesigningrequests', `create ${read}`),
  rule('storage.k8s.io', 'csidrivers', read),
  rule('node.k8s.io', 'runtimeclasses', read),
  rule('certificates.k8s.io', 'clustertrustbundles', read),
];

// The rights of system:basic-user and system:discovery, which every authenticated user has.
const forEverybody: readonly Rule[] = [
  rule('authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews', 'create'),
  rule('authentication.k8s.io', 'selfsubjectreviews', 'create'),
];

interface Asked {
  readonly group: string;
  readonly plural: string;
  readonly subresource: string;
  readonly verb: string;
}

export function nodesMay(asked: Asked): boolean {
  return rules.some((candidate) => matches(candidate, asked));
}

export function everybodyMay(asked: Asked): boolean {
  return forEverybody.some((candidate) => matches(candidate, asked));
}

function matches({ groups, resources, verbs }: Rule, { group, plural, subresource, verb }: Asked): boolean {
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  return groups.includes(group) && resources.includes(resource) && verbs.includes(verb);
}
