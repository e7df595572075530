import { KubeletError } from '@podwright/errors';
import type { ProbeTarget } from '@podwright/probe-interface';

/** The probe's host, else the pod's IP. Throws for a pod without an address: an empty host would mean this node. */
export function targetHost(host: string | undefined, { podIp }: ProbeTarget): string {
  const chosen = host || podIp;
  if (chosen !== '') return chosen;
  throw new KubeletError('the pod has no address yet', { code: 'failed-precondition' });
}
