import { unauthorized } from '@podwright/api-machinery';
import type { TLSSocket } from 'node:tls';
import { readCertificate } from '@podwright/x509';
import type { ApiUser } from '../http/api-request.js';
import type { TokenAuthenticator } from '../identity/token-authenticator.js';

const authenticated = 'system:authenticated';
const anonymous: ApiUser = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

// A connection keeps its certificate, and reading one takes longer than most requests.
const usersOfSockets = new WeakMap<object, ApiUser>();

/**
 * The sender of a request, by client certificate (CN is the name, O the groups) or bearer token, else an anonymous
 * user.
 * Source: kubernetes v1.36 apiserver/pkg/authentication/request.
 * @throws ApiError 401 for invalid credentials.
 */
export function requestUser(
  socket: Pick<TLSSocket, 'authorized' | 'getPeerX509Certificate'>,
  authorization: string | undefined,
  authenticator: TokenAuthenticator,
): ApiUser {
  const known = usersOfSockets.get(socket);
  if (known !== undefined) return known;
  const certificate = socket.getPeerX509Certificate();
  if (certificate !== undefined && socket.authorized) {
    const { commonName, organizations } = readCertificate(certificate.toString()).subject;
    const user = { name: commonName, groups: [...new Set([...organizations, authenticated])] };
    usersOfSockets.set(socket, user);
    return user;
  }
  const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) {
    const verdict = authenticator.authenticate(token.trim());
    if ('error' in verdict) throw unauthorized();
    const { user } = verdict;
    return { ...user, groups: [...new Set([...user.groups, authenticated])] };
  }
  if (certificate !== undefined) throw unauthorized();
  return anonymous;
}
