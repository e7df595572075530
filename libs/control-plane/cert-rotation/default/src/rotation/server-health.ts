import { hasCode } from '@podwright/errors';

/**
 * Whether an error of a certificate request shows that the API server is alive: it answers unauthorized, forbidden or
 * not found. As upstream, such an answer of a proxy in front of it counts too. Source: kubernetes v1.36
 * client-go/util/certificate/certificate_manager.go updateServerError.
 */
export function showsHealthyServer(error: unknown): boolean {
  return hasCode(error, 'unauthenticated') || hasCode(error, 'not-found') || hasCode(error, 'permission-denied');
}
