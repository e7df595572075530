import { KubeletError } from '@podwright/errors';

/** Upstream's text for all of: no API server, the gate off, an API server without the resource. */
export function notSupported(): KubeletError {
  return new KubeletError('ClusterTrustBundle projection is not supported in static kubelet mode', {
    code: 'failed-precondition',
  });
}
