import { isSidecar, type Container, type ContainerStatus, type Pod, type PodStatus } from '@podwright/kube-types';
import type { ProbeKind, ProbeResults } from '@podwright/probe-interface';
import { bareContainerId } from './container-id.js';
import { startedBeforeKubelet } from './started-before-kubelet.js';

export interface ContainerFlagsContext {
  readonly pod: Pod;
  readonly results: Pick<ProbeResults, 'get'>;
  /** Milliseconds of the wall clock as it is set now. */
  readonly kubeletStartedAtMs: number;
  /** A container that was shown as started stays so until there is a result. */
  readonly keepsStarted: boolean;
  /** Whether a probe of that kind runs or is about to run. */
  readonly isProbed: (container: Container, kind: ProbeKind, status: ContainerStatus) => boolean;
  /** Called for a container that is started but not ready, whose readiness probe should run at once. */
  readonly triggerReadiness: (container: string) => void;
}

/**
 * Sets `started` and `ready` of every container from its probe results.
 * Source: kubernetes v1.36 pkg/kubelet/prober/prober_manager.go UpdatePodStatus.
 */
export function withContainerFlags(context: ContainerFlagsContext, status: PodStatus): PodStatus {
  const { spec } = context.pod;
  const regular = new Map(spec.containers.map((container) => [container.name, container]));
  const init = new Map((spec.initContainers ?? []).map((container) => [container.name, container]));
  return {
    ...status,
    ...(status.containerStatuses && {
      containerStatuses: status.containerStatuses.map((one) =>
        flagged(context, regular.get(one.name) ?? { name: one.name }, one),
      ),
    }),
    ...(status.initContainerStatuses && {
      initContainerStatuses: status.initContainerStatuses.map((one) => {
        const container = init.get(one.name);
        return container !== undefined && isSidecar(container)
          ? flagged(context, container, one)
          : flaggedInit(context, container ?? { name: one.name }, one);
      }),
    }),
  };
}

function flagged(context: ContainerFlagsContext, container: Container, status: ContainerStatus): ContainerStatus {
  const started = isStarted(context, container, status);
  return started ? { ...status, started, ready: isReady(context, container, status) } : { ...status, started };
}

// Ready once it has completed; ordinary init containers have no probes.
function flaggedInit(context: ContainerFlagsContext, container: Container, status: ContainerStatus): ContainerStatus {
  const started = isStarted(context, container, status);
  return status.state?.terminated?.exitCode === 0 ? { ...status, started, ready: true } : { ...status, started };
}

function isStarted(context: ContainerFlagsContext, container: Container, status: ContainerStatus): boolean {
  if (status.state?.running === undefined) return false;
  const result = context.results.get('startup', bareContainerId(status.containerID ?? ''));
  if (result !== undefined) return result === 'success';
  return (context.keepsStarted && status.started === true) || !context.isProbed(container, 'startup', status);
}

// Called only for a started container, which therefore runs.
function isReady(context: ContainerFlagsContext, container: Container, status: ContainerStatus): boolean {
  const result = context.results.get('readiness', bareContainerId(status.containerID ?? ''));
  if (result === 'success') return true;
  const probed = context.isProbed(container, 'readiness', status);
  if (probed) context.triggerReadiness(container.name);
  if (!startedBeforeKubelet(status, context.kubeletStartedAtMs)) return !probed;
  // It ran under an earlier kubelet, whose status in the API counts until there is a result.
  const assumed = !probed || result === undefined;
  return assumed && (container.readinessProbe === undefined || isShownReady(context.pod));
}

function isShownReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}
