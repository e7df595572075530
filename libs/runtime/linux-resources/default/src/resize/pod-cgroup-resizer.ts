import type { PodCgroupResourceControl, PodCgroupResources } from '@podwright/cgroup-interface';
import type { LinuxResources } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import { podRef, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { sandboxResourcesOf } from './sandbox-resources.js';

export interface PodCgroupResizerDeps {
  readonly runtime: Pick<RuntimeService, 'updatePodSandboxResources'>;
  readonly podCgroups: Pick<PodCgroupResourceControl, 'write'>;
  readonly resources: Pick<LinuxResources, 'overheadOf'>;
  readonly logger: Logger;
}

/** Changes the cgroup of one pod value by value; the runtime is informed before each change. */
export class PodCgroupResizer {
  constructor(
    private readonly deps: PodCgroupResizerDeps,
    private readonly target: { readonly pod: Pod; readonly sandboxId: string },
    /** The current values of the cgroup. */
    private current: PodCgroupResources,
  ) {}

  /**
   * Rejects when the runtime or the kernel refuses; after the kernel's refusal, the runtime gets the old values again.
   */
  async set(resource: 'memory' | 'cpu', change: PodCgroupResources): Promise<void> {
    const { pod } = this.target;
    const next = { ...this.current, ...change };
    await this.tellRuntime(next).catch((cause: unknown) => {
      const message = `failed to notify runtime for UpdatePodSandboxResources (resource=${resource}); resize rejected: ${messageOf(cause)}`;
      throw new KubeletError(message, { code: KubeletError.from(cause).code, cause });
    });
    try {
      await this.deps.podCgroups.write(pod, change);
    } catch (error) {
      this.deps.logger.error('Failed to set cgroup config', { pod: podRef(pod), resource, error });
      await this.tellRuntime(this.current).catch((cause: unknown) =>
        this.deps.logger.error('Failed to notify runtime to rollback UpdatePodSandboxResources', {
          pod: podRef(pod),
          resource,
          error: cause,
        }),
      );
      throw error;
    }
    this.current = next;
  }

  private async tellRuntime(resources: PodCgroupResources): Promise<void> {
    const { pod, sandboxId: podSandboxId } = this.target;
    await this.deps.runtime
      .updatePodSandboxResources({
        podSandboxId,
        overhead: this.deps.resources.overheadOf(pod),
        resources: sandboxResourcesOf(pod, resources),
      })
      .catch((cause: unknown) => {
        if (doesNotKnowTheCall(cause)) return;
        const message = `updatePodSandboxResources failed for sanboxID ${JSON.stringify(podSandboxId)}: ${rpcErrorText(cause)}`;
        throw new KubeletError(message, { code: KubeletError.from(cause).code, cause });
      });
  }
}

/** Older runtimes do not implement the call and do not need it; containerd 2.2 says so with the code of any failure. */
const doesNotKnowTheCall = (error: unknown): boolean =>
  hasCode(error, 'unimplemented') || (hasCode(error, 'unknown') && messageOf(error).includes('not implemented'));
