import type { PodSurroundings } from '@podwright/container-environment-interface';
import type { LinuxResources } from '@podwright/container-runtime-interface';
import type { DeepPartial, LinuxSandboxSecurityContext, PodSandboxConfig } from '@podwright/cri-client-interface';
import { SecurityProfile_ProfileType } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';
import { podUid, visitContainers } from '@podwright/kube-types';
import type { Namespaces } from '../container/namespaces.js';
import { groupsPolicyOf, selinuxOptionsOf } from '../container/security-context.js';
import { sandboxLabels } from '../pod-records/labels.js';
import { podLogDirectory } from '../pod-records/log-paths.js';
import { portMappings } from './port-mappings.js';
import { dottedSysctl } from './sysctl-name.js';

export interface SandboxInput {
  readonly pod: Pod;
  readonly attempt: number;
  readonly surroundings: PodSurroundings;
  readonly cgroupParent: string;
  readonly namespaces: Namespaces;
  readonly volumeGroups: readonly number[];
  readonly podLogsDir: string;
  readonly resources: Pick<LinuxResources, 'ofSandbox' | 'overheadOf'>;
}

export type SandboxConfig = DeepPartial<PodSandboxConfig>;

/**
 * The configuration for RunPodSandbox and for each CreateContainer. Throws a KubeletError for what this node does not
 * support. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_sandbox.go generatePodSandboxConfig.
 */
export function sandboxConfig(input: SandboxInput): SandboxConfig {
  const { pod, attempt, surroundings, resources } = input;
  const { name = '', namespace = '' } = pod.metadata;
  const sysctls = pod.spec.securityContext?.sysctls ?? [];
  return {
    metadata: { name, namespace, uid: podUid(pod), attempt },
    hostname: pod.spec.hostNetwork === true ? '' : surroundings.sandboxHostname,
    logDirectory: podLogDirectory(input.podLogsDir, pod),
    dnsConfig: surroundings.dnsConfig,
    portMappings: portMappings(pod),
    labels: sandboxLabels(pod),
    annotations: pod.metadata.annotations ?? {},
    linux: {
      cgroupParent: input.cgroupParent,
      sysctls: Object.fromEntries(sysctls.map((sysctl) => [dottedSysctl(sysctl.name), sysctl.value])),
      securityContext: securityContextOf(input),
      resources: resources.ofSandbox(pod),
      overhead: resources.overheadOf(pod),
    },
  };
}

function securityContextOf({ pod, namespaces, volumeGroups }: SandboxInput): DeepPartial<LinuxSandboxSecurityContext> {
  const security = pod.spec.securityContext;
  const privileged = [...visitContainers(pod.spec)].some(
    ({ container }) => container.securityContext?.privileged === true,
  );
  // The sandbox needs almost no system calls, so it always has the default profile, whatever its containers use.
  const seccomp = { profileType: SecurityProfile_ProfileType.RuntimeDefault };
  if (security === undefined) return { privileged, seccomp };
  const groups = [
    ...(security.fsGroup === undefined ? [] : [security.fsGroup]),
    ...volumeGroups,
    ...(security.supplementalGroups ?? []),
  ];
  return {
    privileged,
    seccomp,
    namespaceOptions: namespaces,
    runAsUser: security.runAsUser === undefined ? undefined : { value: BigInt(security.runAsUser) },
    runAsGroup: security.runAsGroup === undefined ? undefined : { value: BigInt(security.runAsGroup) },
    supplementalGroups: groups.map(BigInt),
    supplementalGroupsPolicy: groupsPolicyOf(security.supplementalGroupsPolicy),
    selinuxOptions: selinuxOptionsOf(security.seLinuxOptions),
  };
}
