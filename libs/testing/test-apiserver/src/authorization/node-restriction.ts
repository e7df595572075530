import { notFound, type ApiObject } from '@podwright/api-machinery';
import {
  configMirrorAnnotation,
  deepEqual,
  findApiReferences,
  objectKey,
  type Node,
  type Pod,
} from '@podwright/kube-types';
import { readCertificateRequest } from '@podwright/x509';
import { messageOf } from '@podwright/errors';
import { refused, type AdmissionPlugin, type AdmissionRequest } from '../admission/admission.js';
import type { ServerContext } from '../registry/server-context.js';
import { nodeIdentity } from './node-authorizer.js';
import { forbiddenNodeLabels } from './node-labels.js';
import { admitPodCertificateOfNode } from './node-pod-certificates.js';
import { admitTokenOfNode } from './node-token-requests.js';

type Check = (node: string, request: AdmissionRequest, server: ServerContext) => void;

/**
 * Limits the writes of kubelets by the objects' contents, which the authorizer does not see.
 * Source: kubernetes v1.36 plugin/pkg/admission/noderestriction/admission.go.
 */
export const admitNodeRestriction: AdmissionPlugin = (request, server) => {
  const node = nodeIdentity(request.user);
  if (node === undefined) return undefined;
  if (node === '') throw refused(request, `could not determine node from user "${request.user.name}"`);
  const { group, plural } = request.resource;
  checks[group === '' ? plural : `${plural}.${group}`]?.(node, request, server);
  return undefined;
};

const checkPod: Check = (node, request, server) => {
  const { subresource, operation } = request;
  if (subresource === 'status') return checkPodStatus(node, request, server);
  if (subresource === 'eviction') return checkEviction(node, request, server);
  if (subresource !== '') {
    throw refused(request, `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`);
  }
  if (operation === 'CREATE') return checkMirrorPod(node, request, server);
  if (operation !== 'DELETE') {
    const why = `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
    throw refused(request, why);
  }
  if (existingPod(request, server).spec.nodeName !== node) {
    throw refused(request, `node "${node}" can only delete pods with spec.nodeName set to itself`);
  }
};

const checkMirrorPod: Check = (node, request, { store, table }) => {
  const pod = request.object as unknown as Pod;
  const refuse = (why: string): never => {
    throw refused(request, why);
  };
  if (pod.metadata.annotations?.[configMirrorAnnotation] === undefined) {
    refuse(`pod does not have "${configMirrorAnnotation}" annotation, node "${node}" can only create mirror pods`);
  }
  if (pod.spec.nodeName !== node) refuse(`node "${node}" can only create pods with spec.nodeName set to itself`);
  const [owner, ...others] = pod.metadata.ownerReferences ?? [];
  if (others.length > 0) refuse(`node "${node}" can only create pods with a single owner reference set to itself`);
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return refuse(`node "${node}" can only create pods with an owner reference set to itself`);
  }
  if (owner.controller !== true) {
    refuse(`node "${node}" can only create pods with a controller owner reference set to itself`);
  }
  if (owner.blockOwnerDeletion === true) refuse(`node "${node}" must not set blockOwnerDeletion on an owner reference`);
  const found = store.get('nodes', node);
  if (found === undefined) throw notFound(table.get('nodes'), node);
  if (owner.uid !== found.metadata.uid) {
    refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${found.metadata.uid ?? ''}`);
  }
  const [reference] = findApiReferences(pod);
  if (reference !== undefined) refuse(`node "${node}" can not create pods that reference ${reference.resource}`);
};

const checkPodStatus: Check = (node, request) => {
  if (request.operation !== 'UPDATE') throw refused(request, `unexpected operation "${request.operation}"`);
  const old = request.old as unknown as Pod;
  const next = request.object as unknown as Pod;
  if (old.spec.nodeName !== node) {
    throw refused(request, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!deepEqual(old.metadata.labels ?? {}, next.metadata.labels ?? {})) {
    throw refused(request, `node "${node}" cannot update labels through pod status`);
  }
  if (!deepEqual(old.status?.resourceClaimStatuses ?? [], next.status?.resourceClaimStatuses ?? [])) {
    throw refused(request, `node "${node}" cannot update resource claim statues`);
  }
};

const checkEviction: Check = (node, request, server) => {
  if (request.operation !== 'CREATE') throw refused(request, `unexpected operation ${request.operation}`);
  if (existingPod(request, server).spec.nodeName !== node) {
    throw refused(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }
};

const checkNode: Check = (node, request) => {
  const name = request.name === '' ? (request.object?.metadata.name ?? '') : request.name;
  if (name !== node) throw refused(request, `node "${node}" is not allowed to modify node "${name}"`);
  const next = request.object as unknown as Node | undefined;
  const old = request.old as unknown as Node | undefined;
  if (request.operation === 'CREATE') {
    const labels = forbiddenNodeLabels(next?.metadata?.labels);
    if (labels.length > 0) {
      throw refused(request, `node "${node}" is not allowed to set the following labels: ${labels.join(', ')}`);
    }
  } else if (request.operation === 'UPDATE') {
    if (!deepEqual(next?.spec?.taints ?? [], old?.spec?.taints ?? [])) {
      throw refused(request, `node "${node}" is not allowed to modify taints`);
    }
    if (!deepEqual(next?.metadata?.ownerReferences ?? [], old?.metadata?.ownerReferences ?? [])) {
      throw refused(request, `node "${node}" is not allowed to modify ownerReferences`);
    }
    const labels = forbiddenNodeLabels(next?.metadata?.labels, old?.metadata?.labels);
    if (labels.length > 0) throw refused(request, `is not allowed to modify labels: ${labels.join(', ')}`);
  }
};

const checkOwnName =
  (what: string): Check =>
  (node, request) => {
    const name = request.operation === 'CREATE' ? request.object?.metadata.name : request.name;
    if (name !== node) throw refused(request, `can only access ${what} with the same name as the requesting node`);
  };

const checkLease: Check = (node, request, server) => {
  if (request.namespace !== 'kube-node-lease') {
    throw refused(request, 'can only access leases in the "kube-node-lease" system namespace');
  }
  checkOwnName('node lease')(node, request, server);
};

const checkSlice: Check = (node, request) => {
  const { operation } = request;
  if (operation === 'UPDATE') return;
  const object = operation === 'CREATE' ? request.object : request.old;
  if ((object?.spec as { readonly nodeName?: string } | undefined)?.nodeName === node) return;
  const word = operation === 'CREATE' ? 'create' : 'delete';
  throw refused(request, `can only ${word} ResourceSlice with the same NodeName as the requesting node`);
};

const kubeletSigners = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

const checkCsr: Check = (node, request) => {
  const spec = request.object?.spec as { readonly signerName?: string; readonly request?: string } | undefined;
  if (request.operation !== 'CREATE' || !kubeletSigners.includes(spec?.signerName ?? '')) return;
  if (commonName(request, spec?.request ?? '') !== `system:node:${node}`) {
    throw refused(request, `can only create a node CSR with CN=system:node:${node}`);
  }
};

function commonName(request: AdmissionRequest, pemInBase64: string): string {
  try {
    return readCertificateRequest(Buffer.from(pemInBase64, 'base64').toString()).subject.commonName;
  } catch (error) {
    throw refused(request, `unable to parse csr: ${messageOf(error)}`);
  }
}

const checkClaim: Check = (node, request) => {
  const { operation, subresource, old, object } = request;
  if (subresource !== 'status') throw refused(request, 'may only update PVC status');
  if (operation !== 'UPDATE') throw refused(request, `unexpected operation "${operation}"`);
  if (deepEqual(unresizedClaim(old), unresizedClaim(object))) return;
  const why = `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`;
  throw refused(request, why);
};

const resizedFields = ['capacity', 'conditions', 'allocatedResources', 'allocatedResourceStatuses'];

/** The claim without what the resize of a file system changes. */
function unresizedClaim(claim: ApiObject | undefined): unknown {
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = claim?.metadata ?? {};
  const status = Object.entries(claim?.status ?? {}).filter(([field]) => !resizedFields.includes(field));
  return { ...claim, metadata, status: Object.fromEntries(status) };
}

const checks: Readonly<Record<string, Check>> = {
  pods: checkPod,
  nodes: checkNode,
  persistentvolumeclaims: checkClaim,
  serviceaccounts: admitTokenOfNode,
  'leases.coordination.k8s.io': checkLease,
  'csinodes.storage.k8s.io': checkOwnName('CSINode'),
  'resourceslices.resource.k8s.io': checkSlice,
  'certificatesigningrequests.certificates.k8s.io': checkCsr,
  'podcertificaterequests.certificates.k8s.io': admitPodCertificateOfNode,
};

function existingPod({ namespace, name, resource }: AdmissionRequest, { store }: ServerContext): Pod {
  const found = store.get('pods', objectKey(namespace, name));
  if (found === undefined) throw notFound(resource, name);
  return found as unknown as Pod;
}
