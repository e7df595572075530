import { bytesOfVariable, type ContainerSurroundings } from '@podwright/container-environment-interface';
import type { CriResources } from '@podwright/container-runtime-interface';
import type { ContainerConfig, DeepPartial, Mount } from '@podwright/cri-client-interface';
import { signalOfName } from '@podwright/cri-client-interface';
import { expandVariables, type Container, type Pod } from '@podwright/kube-types';
import { containerAnnotations, containerLabels } from '../pod-records/labels.js';
import { containerLogPath, terminationLogMount } from '../pod-records/log-paths.js';
import { effectiveSecurity } from './effective-security.js';
import type { HostFacts } from './host-facts.js';
import type { Namespaces } from './namespaces.js';
import type { ImageUser } from './run-as-non-root.js';
import { verifyRunAsNonRoot } from './run-as-non-root.js';
import { containerSecurityContext } from './security-context.js';
import type { SeccompSettings } from './security-profiles.js';

export interface ContainerInput {
  readonly pod: Pod;
  readonly container: Container;
  /** Image reference from the image manager. */
  readonly imageRef: string;
  readonly imageUser: ImageUser;
  readonly namespaces: Namespaces;
  readonly restartCount: number;
  readonly surroundings: ContainerSurroundings;
  /** Mounts of image volumes. */
  readonly imageMounts: readonly DeepPartial<Mount>[];
  /** Host path of the termination log, when the container has one. */
  readonly terminationLog: string | undefined;
  readonly volumeGroups: readonly number[];
  readonly targetContainerId: string | undefined;
  readonly settings: SeccompSettings & {
    readonly selinuxEnabled: boolean;
    readonly containerStopSignals: boolean;
  };
  readonly host: HostFacts;
  readonly resources: CriResources;
}

/**
 * The configuration for CreateContainer. Throws a KubeletError for a container that must not or cannot run. Source:
 * kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go generateContainerConfig.
 */
export function containerConfig(input: ContainerInput): DeepPartial<ContainerConfig> {
  const { pod, container, surroundings, restartCount, settings } = input;
  const effective = effectiveSecurity(pod, container);
  verifyRunAsNonRoot(pod, container.name, effective, input.imageUser);
  const variables = new Map(surroundings.envs.map(({ name, value }) => [name, value]));
  const expand = (text: string): string => expandVariables(text, (name) => variables.get(name));
  return {
    metadata: { name: container.name, attempt: restartCount },
    image: { image: input.imageRef, userSpecifiedImage: container.image ?? '' },
    command: (container.command ?? []).map(expand),
    args: (container.args ?? []).map(expand),
    workingDir: container.workingDir ?? '',
    envs: surroundings.envs.map(({ name, value }) => ({ key: name, value: bytesOfVariable(value) })),
    mounts: mountsOf(input),
    devices: surroundings.devices,
    ...(surroundings.cdiDevices !== undefined && { CDIDevices: surroundings.cdiDevices.map((name) => ({ name })) }),
    labels: containerLabels(pod, container),
    annotations: containerAnnotations(pod, container, restartCount, surroundings.annotations),
    logPath: containerLogPath(container.name, restartCount),
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    ...(settings.containerStopSignals && { stopSignal: signalOfName(container.lifecycle?.stopSignal ?? '') }),
    linux: {
      resources: input.resources,
      securityContext: containerSecurityContext({ ...input, effective }),
    },
  };
}

/**
 * SELinux labels change only on a node with SELinux. In a pod with a user namespace, every mount maps the node's root
 * to the container's root.
 */
function mountsOf({
  container,
  surroundings,
  imageMounts,
  terminationLog,
  namespaces,
  settings,
}: ContainerInput): DeepPartial<Mount>[] {
  const mounts = [...surroundings.mounts, ...imageMounts];
  if (terminationLog !== undefined) {
    const containerPath = terminationLogMount(container.terminationMessagePath ?? '');
    mounts.push({ hostPath: terminationLog, containerPath, selinuxRelabel: true });
  }
  const { uids = [], gids = [] } = namespaces.usernsOptions ?? {};
  const ids = uids.length === 0 && gids.length === 0 ? {} : { uidMappings: uids, gidMappings: gids };
  return mounts.map((mount) => ({
    ...mount,
    ...ids,
    selinuxRelabel: settings.selinuxEnabled && (mount.selinuxRelabel ?? false),
  }));
}
