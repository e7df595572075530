import type {
  ContainerRuntime,
  PodSyncResult,
  RuntimeContainerStatus,
  RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import type { Pod, PodSpec } from '@podwright/kube-types';

/** A runtime that only records its calls and answers with `next`, which the case sets. */
export class ScriptedRuntime implements ContainerRuntime {
  readonly calls: string[] = [];
  next: { sync: PodSyncResult; kill: PodSyncResult; status: RuntimePodStatus } = {
    sync: { results: [] },
    kill: { results: [] },
    status: statusWith(),
  };

  async getPods(): ReturnType<ContainerRuntime['getPods']> {
    return [];
  }
  async getPodStatus(): Promise<RuntimePodStatus> {
    this.calls.push('getPodStatus');
    return this.next.status;
  }
  async syncPod({ pod }: Parameters<ContainerRuntime['syncPod']>[0]): Promise<PodSyncResult> {
    this.calls.push(`syncPod ${pod.metadata.uid}`);
    return this.next.sync;
  }
  async killPod({
    pod,
    runningPod,
    gracePeriodSeconds,
  }: Parameters<ContainerRuntime['killPod']>[0]): Promise<PodSyncResult> {
    this.calls.push(`killPod ${runningPod.uid} spec=${pod !== undefined} grace=${gracePeriodSeconds ?? 'own'}`);
    return this.next.kill;
  }
  async removeContainer(): Promise<void> {}
  purgeBackOffs(): void {}
}

export function podWith(spec: Partial<PodSpec> = {}): Pod {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'uid-1' },
    spec: { restartPolicy: 'Always', hostNetwork: true, containers: [{ name: 'app', image: 'app:1' }], ...spec },
  };
}

export function statusWith(...containers: readonly RuntimeContainerStatus[]): RuntimePodStatus {
  return { uid: 'uid-1', name: 'web', namespace: 'default', ips: [], containers, sandboxes: [] };
}

export function record(state: RuntimeContainerStatus['state'], exitCode = 0): RuntimeContainerStatus {
  return {
    id: 'c1',
    name: 'app',
    podSandboxId: 's1',
    state,
    createdAt: 1n,
    image: 'app:1',
    imageRef: 'ref',
    imageId: 'id',
    hash: '0',
    restartCount: 0,
    startedAt: 1_000_000_000n,
    finishedAt: state === 'exited' ? 2_000_000_000n : 0n,
    exitCode,
    reason: '',
    message: '',
    logPath: '',
    cri: {} as RuntimeContainerStatus['cri'],
  };
}
