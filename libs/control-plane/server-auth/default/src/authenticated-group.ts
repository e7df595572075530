import type { UserInfo } from '@podwright/server-auth-interface';

const anonymousName = 'system:anonymous';
const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';

/** The anonymous user. Source: kubernetes v1.36 apiserver/pkg/authentication/request/anonymous/anonymous.go. */
export const anonymousUser: UserInfo = { name: anonymousName, groups: [unauthenticated] };

/**
 * Adds the group of all authenticated users. Not for a user with the anonymous name, or one that already has the
 * authenticated or unauthenticated group.
 * Source: kubernetes v1.36 apiserver/pkg/authentication/group/authenticated_group_adder.go.
 */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const { name, groups } = user;
  if (name === anonymousName || groups.includes(authenticated) || groups.includes(unauthenticated)) return user;
  return { ...user, groups: [...groups, authenticated] };
}
