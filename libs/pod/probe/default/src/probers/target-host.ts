import { KubeletError } from '@podwright/errors';
import type { ProbeTarget } from '@podwright/probe-interface';

/**
 * The probe's host, else the pod's IP. Empty means this node, as in Go: so it is for a pod on the host network, which
 * has no address without an API server. Throws for any other pod without an address.
 */
export function targetHost(host: string | undefined, { pod, podIp }: ProbeTarget): string {
  const chosen = host || podIp;
  if (chosen !== '' || pod.spec.hostNetwork === true) return chosen;
  throw new KubeletError('the pod has no address yet', { code: 'failed-precondition' });
}
