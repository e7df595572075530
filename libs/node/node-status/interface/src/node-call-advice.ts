import { hasCode, messageOf } from '@podwright/errors';

export interface NodeCall {
  readonly nodeName: string;
  /** URL of the API server. */
  readonly server: string;
}

/**
 * Advice for an operator when a call for the node's own objects (Node, Lease) has failed: one sentence for the log
 * line. Undefined when the error itself says enough.
 */
export function nodeCallAdvice(error: unknown, { nodeName, server }: NodeCall): string | undefined {
  if (hasCode(error, 'unauthenticated')) {
    return (
      `${server} does not know the kubelet's credentials: look at the user in the file of --kubeconfig and at the dates of its ` +
      'certificate (openssl x509 -noout -subject -enddate); new certificates wait for approval in kubectl get csr'
    );
  }
  if (hasCode(error, 'permission-denied')) {
    return (
      `the user must be system:node:${nodeName} in group system:nodes: compare the subject of the client certificate with the ` +
      `node's name (--hostname-override); ${server} refuses one node what belongs to another`
    );
  }
  if (hasCode(error, 'not-found')) {
    return (
      `look at kubectl get node ${nodeName}: a node that was deleted, or that nobody created with registerNode: false, is missing; ` +
      'the kubelet registers when it starts, not later'
    );
  }
  if (hasCode(error, 'resource-exhausted')) return `${server} has no capacity for the kubelet at the moment`;
  // The kubelet has no credentials yet, and the error says so.
  if (hasCode(error, 'failed-precondition')) return undefined;
  if (hasCode(error, 'unavailable') || hasCode(error, 'deadline-exceeded')) {
    return `is ${server} the right address in the file of --kubeconfig, and does the API server answer there (curl -k ${server}/livez)?`;
  }
  if (hasCode(error, 'invalid-argument')) return `the API server refuses the object: ${messageOf(error)}`;
  return undefined;
}
