import type { Container, Pod, SecurityContext } from '@podwright/kube-types';

/**
 * The container's security context; fields that it leaves unset come from the pod. Source: kubernetes v1.36
 * pkg/securitycontext/util.go DetermineEffectiveSecurityContext.
 */
export function effectiveSecurity(pod: Pod, container: Container): SecurityContext {
  const inherited = pod.spec.securityContext ?? {};
  const own = container.securityContext ?? {};
  const user = own.runAsUser ?? inherited.runAsUser;
  const group = own.runAsGroup ?? inherited.runAsGroup;
  const nonRoot = own.runAsNonRoot ?? inherited.runAsNonRoot;
  const selinux = own.seLinuxOptions ?? inherited.seLinuxOptions;
  return {
    ...own,
    ...(user === undefined ? {} : { runAsUser: user }),
    ...(group === undefined ? {} : { runAsGroup: group }),
    ...(nonRoot === undefined ? {} : { runAsNonRoot: nonRoot }),
    ...(selinux === undefined ? {} : { seLinuxOptions: selinux }),
  };
}
