import type { KubeTransport } from '@podwright/kube-client-interface';
import type { ApiUser } from '../http/api-request.js';

/** A server for the cases. */
export interface CaseServer {
  /** Connects as the user, by default as an administrator. The cases do not stop the transport. */
  transport(user?: ApiUser): KubeTransport;
  stop(): Promise<void>;
}

/** The user of a node's kubelet. */
export function kubeletOf(node: string): ApiUser {
  return { name: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] };
}

let count = 0;

/** A name that no other case uses. */
export function uniqueName(prefix: string): string {
  count += 1;
  return `${prefix}-${process.pid}-${count}`;
}
