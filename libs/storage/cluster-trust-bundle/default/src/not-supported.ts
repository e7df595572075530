import { KubeletError } from '@podwright/errors';

/** Upstream's error when there is no API server, the gate is off, or the API server lacks the resource. */
export function notSupported(): KubeletError {
  return new KubeletError('ClusterTrustBundle projection is not supported in static kubelet mode', {
    code: 'failed-precondition',
  });
}
