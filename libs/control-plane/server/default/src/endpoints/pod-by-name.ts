import type { Pod } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { ServerRequest } from '../route.js';

/** The pod that a request's path names by `namespace` and `pod`. */
export function podOfRequest(
  pods: Pick<PodManager, 'getPodByFullName'>,
  { parameters }: Pick<ServerRequest, 'parameters'>,
): Pod | undefined {
  return pods.getPodByFullName(`${parameters['pod']}_${parameters['namespace']}`);
}
