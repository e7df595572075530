import type { PodSandboxStatus } from '@podwright/cri-client-interface';
import { makeDirectory } from '@podwright/filesystem';
import { KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import { podNamespaces } from '../container/namespaces.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';
import type { StartMetrics } from '../sync/start-metrics.js';
import type { SandboxConfig } from './sandbox-config.js';
import { sandboxConfig } from './sandbox-config.js';

/** A failed sandbox creation. The message is for the sync's result, `eventText` for the event. */
export class SandboxFailure extends KubeletError {
  constructor(
    what: string,
    pod: Pod,
    readonly eventText: string,
    cause: unknown,
  ) {
    const message = `${what} ${JSON.stringify(podRef(pod))}: ${eventText}`;
    super(message, { code: KubeletError.from(cause).code, reason: 'CreatePodSandboxError', cause });
  }
}

/** Creates pod sandboxes. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_sandbox.go createPodSandbox. */
export class SandboxCreator {
  constructor(
    private readonly deps: ContainerRuntimeNeeds,
    private readonly config: { readonly podLogsDir: string },
    private readonly metrics: StartMetrics,
  ) {}

  /** The configuration for the sandbox and for each container in it. */
  async configOf(pod: Pod, attempt: number): Promise<SandboxConfig> {
    const { environment, cgroups, volumes, resources } = this.deps;
    return sandboxConfig({
      pod,
      attempt,
      surroundings: await environment.forPod(pod),
      namespaces: await podNamespaces(pod, this.deps),
      cgroupParent: cgroups.podCgroupParent(pod),
      volumeGroups: volumes.extraSupplementalGroups(pod),
      podLogsDir: this.config.podLogsDir,
      resources,
    });
  }

  /** Cheap preparation before RunPodSandbox. Rejects with a {@link SandboxFailure}. */
  async prepare(pod: Pod, attempt: number): Promise<SandboxConfig> {
    const failed = (what: string) => {
      return (cause: unknown): never => {
        throw new SandboxFailure(what, pod, messageOf(cause), cause);
      };
    };
    const config = await this.configOf(pod, attempt).catch(failed('Failed to generate sandbox config for pod'));
    await makeDirectory(config.logDirectory ?? '', 0o755).catch(failed('Failed to create log directory for pod'));
    return config;
  }

  /** Creates the sandbox and resolves with its id. Rejects with a {@link SandboxFailure}. */
  async run(pod: Pod, config: SandboxConfig): Promise<string> {
    const { clock, runtime } = this.deps;
    const what = 'Failed to create sandbox for pod';
    const runtimeHandler = this.handlerOf(pod, what);
    const labels = { runtime_handler: runtimeHandler };
    const startedAt = clock.monotonic();
    try {
      return (await runtime.runPodSandbox({ config, runtimeHandler })).podSandboxId;
    } catch (cause) {
      this.metrics.runSandboxErrors.increment(labels);
      throw new SandboxFailure(what, pod, rpcErrorText(cause), cause);
    } finally {
      this.metrics.runSandboxDuration.observe((clock.monotonic() - startedAt) / 1000, labels);
    }
  }

  private handlerOf(pod: Pod, what: string): string {
    try {
      return this.deps.runtimeClasses.handlerOf(pod.spec.runtimeClassName);
    } catch (cause) {
      // Another runtime handler than the requested one could break the pod's isolation.
      throw new SandboxFailure(what, pod, messageOf(cause), cause);
    }
  }

  async statusOf(podSandboxId: string): Promise<PodSandboxStatus> {
    const { status } = await this.deps.runtime.podSandboxStatus({ podSandboxId });
    if (status === undefined) throw new KubeletError('pod sandbox status is nil', { code: 'internal' });
    return status;
  }
}
