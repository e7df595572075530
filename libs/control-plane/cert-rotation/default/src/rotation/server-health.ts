import { hasCode } from '@podwright/errors';

/**
 * Whether an error of a request for a certificate shows that the API server is alive: it knows who asks, or refuses. A proxy
 * in front of it may answer in its place, which counts as alive too when it says unauthorized. Source: kubernetes v1.36
 * client-go/util/certificate/certificate_manager.go updateServerError.
 */
export function showsHealthyServer(error: unknown): boolean {
  return hasCode(error, 'unauthenticated') || hasCode(error, 'not-found') || hasCode(error, 'permission-denied');
}
