import type {
  Capability,
  DeepPartial,
  LinuxContainerSecurityContext,
  SELinuxOption,
} from '@podwright/cri-client-interface';
import { NamespaceMode, SupplementalGroupsPolicy } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod, SecurityContext } from '@podwright/kube-types';
import type { HostFacts } from './host-facts.js';
import type { Namespaces } from './namespaces.js';
import type { ImageUser } from './run-as-non-root.js';
import type { SeccompSettings } from './security-profiles.js';
import { appArmorProfile, seccompProfile } from './security-profiles.js';

const readonlyPaths = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

export interface SecurityInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly effective: SecurityContext;
  readonly imageUser: ImageUser;
  readonly namespaces: Namespaces;
  /** Supplemental groups that the pod's volumes require. */
  readonly volumeGroups: readonly number[];
  /** Id of the container whose process namespace an ephemeral container shares. */
  readonly targetContainerId: string | undefined;
  readonly settings: SeccompSettings;
  readonly host: HostFacts;
}

/**
 * The security context of a container for the CRI. Throws a KubeletError for a profile that cannot be applied. Source:
 * kubernetes v1.36 pkg/kubelet/kuberuntime/security_context.go determineEffectiveSecurityContext.
 */
export function containerSecurityContext(input: SecurityInput): DeepPartial<LinuxContainerSecurityContext> {
  const { pod, container, effective, imageUser, volumeGroups, settings, host } = input;
  const podSecurity = pod.spec.securityContext;
  const groups = [
    ...(podSecurity?.fsGroup === undefined ? [] : [podSecurity.fsGroup]),
    ...(podSecurity?.supplementalGroups ?? []),
    ...volumeGroups,
  ];
  const unmasked = effective.procMount === 'Unmasked';
  return {
    ...userOf(effective, imageUser),
    capabilities: capabilitiesOf(effective),
    privileged: effective.privileged ?? false,
    readonlyRootfs: effective.readOnlyRootFilesystem ?? false,
    selinuxOptions: selinuxOptionsOf(effective.seLinuxOptions),
    namespaceOptions: namespacesOf(input),
    supplementalGroups: groups.map(BigInt),
    supplementalGroupsPolicy: groupsPolicyOf(podSecurity?.supplementalGroupsPolicy),
    noNewPrivs: effective.allowPrivilegeEscalation === false,
    maskedPaths: unmasked ? [] : host.maskedPaths,
    readonlyPaths: unmasked ? [] : readonlyPaths,
    seccomp: seccompProfile(pod, container, settings),
    ...appArmorProfile(pod, container),
  };
}

/**
 * The CRI value of a supplemental groups policy. Throws for an unknown policy: a wrong one would put the container into
 * groups that it must not be in.
 */
export function groupsPolicyOf(policy: string | undefined): SupplementalGroupsPolicy {
  if (policy === undefined || policy === 'Merge') return SupplementalGroupsPolicy.Merge;
  if (policy === 'Strict') return SupplementalGroupsPolicy.Strict;
  throw new KubeletError(`unsupported supplementalGroupsPolicy: ${policy}`, { code: 'invalid-argument' });
}

export function selinuxOptionsOf(options: SecurityContext['seLinuxOptions']): DeepPartial<SELinuxOption> | undefined {
  if (options === undefined) return undefined;
  const { user = '', role = '', type = '', level = '' } = options;
  return { user, role, type, level };
}

function userOf(effective: SecurityContext, image: ImageUser): DeepPartial<LinuxContainerSecurityContext> {
  const { runAsUser, runAsGroup } = effective;
  const group = runAsGroup === undefined ? {} : { runAsGroup: { value: BigInt(runAsGroup) } };
  if (runAsUser !== undefined) return { runAsUser: { value: BigInt(runAsUser) }, ...group };
  if (image.uid !== undefined) return { runAsUser: { value: image.uid }, ...group };
  if (image.username !== undefined) return { runAsUsername: image.username, ...group };
  return { runAsUser: { value: 0n }, ...group };
}

function capabilitiesOf(effective: SecurityContext): DeepPartial<Capability> | undefined {
  const { capabilities } = effective;
  if (capabilities === undefined) return undefined;
  return { addCapabilities: capabilities.add ?? [], dropCapabilities: capabilities.drop ?? [] };
}

function namespacesOf({ namespaces, targetContainerId }: SecurityInput): Namespaces {
  if (targetContainerId === undefined || namespaces.pid !== NamespaceMode.CONTAINER) return namespaces;
  return { ...namespaces, pid: NamespaceMode.TARGET, targetId: targetContainerId };
}
