import type {
  GetPodsOptions,
  RuntimeContainer,
  RuntimePod,
  RuntimeSandbox,
} from '@podwright/container-runtime-interface';
import type { Container, PodSandbox, RuntimeService } from '@podwright/cri-client-interface';
import {
  ContainerState,
  podNameLabel,
  podNamespaceLabel,
  PodSandboxState,
  podUidLabel,
} from '@podwright/cri-client-interface';
import { rethrowAsRpc } from '@podwright/errors';
import { toRuntimeContainer, toRuntimeSandbox } from './convert-records.js';
import { byAttempt, byCreation } from './newest-first.js';

/**
 * Lists the runtime's pods from its sandboxes and containers. Rejects in the words of Go's gRPC client, because callers
 * answer clients with them. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go GetPods.
 */
export async function listPods(runtime: RuntimeService, options: GetPodsOptions): Promise<readonly RuntimePod[]> {
  const { all, podUid, signal } = options;
  const labelSelector = podUid === undefined ? {} : { [podUidLabel]: podUid };
  const callOptions = signal === undefined ? {} : { signal };
  const sandboxState = all ? {} : { state: { state: PodSandboxState.SANDBOX_READY } };
  const containerState = all ? {} : { state: { state: ContainerState.CONTAINER_RUNNING } };
  const [sandboxes, containers] = await Promise.all([
    runtime.listPodSandbox({ filter: { ...sandboxState, labelSelector } }, callOptions),
    runtime.listContainers({ filter: { ...containerState, labelSelector } }, callOptions),
  ]).catch(rethrowAsRpc);
  return groupByPod(sandboxes.items, containers.containers);
}

interface Group {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly containers: RuntimeContainer[];
  readonly sandboxes: RuntimeSandbox[];
}

/** Groups by pod, in the order of the sandboxes; containers without a sandbox form pods at the end. */
export function groupByPod(sandboxes: readonly PodSandbox[], containers: readonly Container[]): readonly RuntimePod[] {
  const groups = new Map<string, Group>();
  const groupOf = (uid: string, name: string, namespace: string): Group => {
    const known = groups.get(uid);
    if (known !== undefined) return known;
    const group: Group = { uid, name, namespace, containers: [], sandboxes: [] };
    groups.set(uid, group);
    return group;
  };
  for (const sandbox of sandboxes) {
    const { metadata } = sandbox;
    if (metadata === undefined) continue;
    groupOf(metadata.uid, metadata.name, metadata.namespace).sandboxes.push(toRuntimeSandbox(sandbox));
  }
  for (const container of containers) {
    if (container.metadata === undefined) continue;
    const { labels } = container;
    const group = groupOf(labels[podUidLabel] ?? '', labels[podNameLabel] ?? '', labels[podNamespaceLabel] ?? '');
    group.containers.push(toRuntimeContainer(container, container.podSandboxId));
  }
  for (const group of groups.values()) {
    group.containers.sort(byCreation);
    group.sandboxes.sort(byAttempt);
  }
  return [...groups.values()];
}
