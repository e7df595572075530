import { LOGGER } from '@podwright/assembly-interface';
import { isSidecar, podRef, podUid, type ContainerStatus, type Pod, type PodStatus } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { ProbeKind, ProbeManager, ProbeResult, ProbeResults, ProbeUpdate } from '@podwright/probe-interface';
import { inject, injectable } from 'tsyringe';

const kinds = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/**
 * {@link ProbeManager} that runs no probe: a running container counts as started and ready. A pod that asks for probes
 * is named once in the log, so that nobody takes its readiness for a probe's answer.
 */
@injectable()
export class ProbelessManager implements ProbeManager, ProbeResults {
  private readonly told = new Set<string>();

  constructor(@inject(LOGGER) private readonly logger: Logger) {}

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  addPod(pod: Pod): void {
    const probed = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].filter((container) =>
      kinds.some((kind) => container[kind] !== undefined),
    );
    if (probed.length === 0 || this.told.has(podUid(pod))) return;
    this.told.add(podUid(pod));
    this.logger.warn('Probes are not run by this probe manager, running containers count as ready', {
      pod: podRef(pod),
      containers: probed.map(({ name }) => name),
    });
  }

  stopLivenessAndStartup(): void {}

  removePod(pod: Pod): void {
    this.told.delete(podUid(pod));
  }

  cleanupPods(podUids: ReadonlySet<string>): void {
    for (const uid of this.told) if (!podUids.has(uid)) this.told.delete(uid);
  }

  withProbeResults(pod: Pod, status: PodStatus): PodStatus {
    const sidecars = new Set((pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
    return {
      ...status,
      ...(status.containerStatuses && { containerStatuses: status.containerStatuses.map(runningIsReady) }),
      ...(status.initContainerStatuses && {
        initContainerStatuses: status.initContainerStatuses.map((container) =>
          sidecars.has(container.name) ? runningIsReady(container) : completedIsReady(container),
        ),
      }),
    };
  }

  get(_kind: ProbeKind, _containerId: string): ProbeResult | undefined {
    return undefined;
  }

  watch(_listener: (update: ProbeUpdate) => void): () => void {
    return () => undefined;
  }
}

function runningIsReady(container: ContainerStatus): ContainerStatus {
  const running = container.state?.running !== undefined;
  return { ...container, started: running, ready: running };
}

// A plain init container is ready once it has done its work.
function completedIsReady(container: ContainerStatus): ContainerStatus {
  return {
    ...container,
    started: container.state?.running !== undefined,
    ready: container.state?.terminated?.exitCode === 0,
  };
}

/** Without DI. */
export function createProbelessManager(deps: { readonly logger: Logger }): ProbelessManager {
  return new ProbelessManager(deps.logger);
}
