import type { RuntimeContainerState, RuntimePod } from '@podwright/container-runtime-interface';
import type { PodLifecycleEvent } from '@podwright/pleg-interface';

type ChangeType = Exclude<PodLifecycleEvent['type'], 'PodSync'>;

export interface RecordChange {
  readonly type: ChangeType;
  readonly containerId: string;
}

type RecordState = RuntimeContainerState | 'gone';

/**
 * Changes of one pod's containers and sandboxes between two relists; sandboxes are reported like containers.
 * `ContainerChanged` only triggers an inspection and is never delivered to listeners. Source: kubernetes v1.36
 * pkg/kubelet/pleg/generic.go, computeEvents. A created container that goes has not died, unlike upstream: the sync that
 * removed it would follow itself at once, without back-off.
 */
export function diffPods(old: RuntimePod | undefined, current: RuntimePod | undefined): RecordChange[] {
  const before = statesOf(old);
  const after = statesOf(current);
  const changes: RecordChange[] = [];
  for (const [containerId, state] of before) addChanges(changes, containerId, state, after.get(containerId) ?? 'gone');
  for (const [containerId, state] of after) {
    if (!before.has(containerId)) addChanges(changes, containerId, 'gone', state);
  }
  return changes;
}

function statesOf(pod: RuntimePod | undefined): Map<string, RecordState> {
  const states = new Map<string, RecordState>();
  for (const { id, state } of pod?.containers ?? []) states.set(id, state);
  for (const { id, ready } of pod?.sandboxes ?? []) states.set(id, ready ? 'running' : 'exited');
  return states;
}

function addChanges(changes: RecordChange[], containerId: string, before: RecordState, after: RecordState): void {
  if (before === after) return;
  if (after === 'running') changes.push({ type: 'ContainerStarted', containerId });
  else if (after === 'exited') changes.push({ type: 'ContainerDied', containerId });
  else if (after !== 'gone') changes.push({ type: 'ContainerChanged', containerId });
  else {
    if (before === 'running' || before === 'unknown') changes.push({ type: 'ContainerDied', containerId });
    changes.push({ type: 'ContainerRemoved', containerId });
  }
}

/**
 * True when both relists show the same records in the same states and order. It runs for every pod in every relist, so
 * it allocates nothing; a false "no" only costs a {@link diffPods}.
 */
export function sameRecords(a: RuntimePod, b: RuntimePod): boolean {
  if (a.containers.length !== b.containers.length || a.sandboxes.length !== b.sandboxes.length) return false;
  for (let index = 0; index < a.containers.length; index++) {
    const left = a.containers[index];
    const right = b.containers[index];
    if (left?.state !== right?.state || left?.id !== right?.id) return false;
  }
  for (let index = 0; index < a.sandboxes.length; index++) {
    const left = a.sandboxes[index];
    const right = b.sandboxes[index];
    if (left?.ready !== right?.ready || left?.id !== right?.id) return false;
  }
  return true;
}
