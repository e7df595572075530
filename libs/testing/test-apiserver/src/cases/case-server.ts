import type { KubeTransport } from '@podwright/kube-client-interface';
import type { ApiUser } from '../http/api-request.js';

/** A server that the cases run against. */
export interface CaseServer {
  /** Connected as that user; an administrator without one. The cases do not stop it. */
  transport(user?: ApiUser): KubeTransport;
  stop(): Promise<void>;
}

/** A user that is the kubelet of that node. */
export function kubeletOf(node: string): ApiUser {
  return { name: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] };
}

let count = 0;

/** A name that no other case has. */
export function uniqueName(prefix: string): string {
  count += 1;
  return `${prefix}-${process.pid}-${count}`;
}
