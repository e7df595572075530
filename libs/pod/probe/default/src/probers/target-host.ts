import { KubeletError } from '@podwright/errors';
import type { ProbeTarget } from '@podwright/probe-interface';

/** The host that the probe names, else the pod. Rejects a pod without an address: nobody means this node by it. */
export function targetHost(host: string | undefined, { podIp }: ProbeTarget): string {
  const chosen = host || podIp;
  if (chosen !== '') return chosen;
  throw new KubeletError('the pod has no address yet', { code: 'failed-precondition' });
}
