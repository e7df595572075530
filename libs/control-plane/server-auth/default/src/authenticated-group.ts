import type { UserInfo } from '@podwright/server-auth-interface';

const anonymousName = 'system:anonymous';
const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';

/** Source: kubernetes v1.36 apiserver/pkg/authentication/request/anonymous/anonymous.go. */
export const anonymousUser: UserInfo = { name: anonymousName, groups: [unauthenticated] };

/**
 * The user with the group of all who are known. Not for one that is called as nobody is, or has said already which it is.
 * Source: kubernetes v1.36 apiserver/pkg/authentication/group/authenticated_group_adder.go.
 */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const { name, groups } = user;
  if (name === anonymousName || groups.includes(authenticated) || groups.includes(unauthenticated)) return user;
  return { ...user, groups: [...groups, authenticated] };
}
