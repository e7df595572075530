import { expect } from '@podwright/contract';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import type { PodIdentity } from '../container-runtime.js';
import type { RuntimePodStatus } from '../runtime-pod.js';
import type { PodSyncResult } from '../sync-result.js';
import type { ContainerRuntimeHarness } from './container-runtime-harness.js';

let made = 0;

/** One pod of a contract case, and the steps of a kubelet on it. */
export class ContractPod {
  readonly pod: Pod;
  readonly identity: PodIdentity;

  constructor(
    private readonly harness: ContainerRuntimeHarness,
    spec: Partial<PodSpec> & { readonly containers: readonly Container[] },
  ) {
    made += 1;
    const name = `contract-${made}`;
    const uid = `${name}-${process.pid}`;
    this.identity = { uid, name, namespace: 'contract' };
    this.pod = {
      metadata: { uid, name, namespace: 'contract' },
      spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 2, securityContext: {}, ...spec },
    };
  }

  status(): Promise<RuntimePodStatus> {
    return this.harness.runtime.getPodStatus(this.identity);
  }

  async sync(): Promise<PodSyncResult> {
    const status = await this.status();
    return this.harness.runtime.syncPod({
      pod: this.pod,
      status,
      apiStatus: {},
      pullSecrets: [],
      isTerminationRequested: () => false,
    });
  }

  /** Syncs like {@link sync}, and expects that no action failed. */
  async syncWell(): Promise<RuntimePodStatus> {
    const { results, error } = await this.sync();
    expect(error).toBeUndefined();
    expect(results.flatMap((result) => result.error ?? [])).toEqual([]);
    return this.status();
  }

  async kill(): Promise<PodSyncResult> {
    const [runningPod] = await this.harness.runtime.getPods({ all: true, podUid: this.identity.uid });
    if (runningPod === undefined) return { results: [] };
    return this.harness.runtime.killPod({ pod: this.pod, runningPod });
  }

  /** Waits until the newest record of the container has ended. */
  async ended(container: string): Promise<RuntimePodStatus> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const status = await this.status();
      if (status.containers.find(({ name }) => name === container)?.state === 'exited') return status;
      await this.harness.pass(50);
    }
    throw new Error(`container ${container} did not end within 10 s`);
  }
}
