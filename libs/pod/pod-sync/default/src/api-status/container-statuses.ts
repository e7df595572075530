import type { PodResourceState } from '@podwright/allocation-interface';
import {
  newestRecord,
  shouldContainerBeStarted,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import { nameOfSignal } from '@podwright/cri-client-interface';
import { isSidecar, type Container, type ContainerState, type ContainerStatus, type Pod } from '@podwright/kube-types';
import { unseenCompletion } from '@podwright/status-interface';
import type { StartFailure } from '../reason-cache.js';
import { containerResourcesStatus } from './container-resources-status.js';
import { apiTime } from './timestamps.js';
import { volumeMountStatuses } from './volume-mount-statuses.js';

export interface ContainerStatusInput {
  readonly pod: Pod;
  readonly kind: 'regular' | 'init' | 'ephemeral';
  readonly containers: readonly Container[];
  /** Statuses of the same list as last stored, else as the API shows them. */
  readonly previous: readonly ContainerStatus[];
  readonly runtime: RuntimePodStatus;
  readonly runtimeName: string;
  /** The pod's runtime supports recursive read-only mounts. */
  readonly supportsRecursiveReadOnly: boolean;
  /** RestartAllContainers is in progress. */
  readonly restartingAll: boolean;
  /** Gate ContainerStopSignals. */
  readonly showStopSignals: boolean;
  /** What the runtime was told last, by container. */
  readonly actuated?: PodResourceState['containers'] | undefined;
  readonly startFailure: (container: string) => StartFailure | undefined;
}

const unknownEnd = (message: string, reason = 'ContainerStatusUnknown'): ContainerState => ({
  terminated: { exitCode: 137, reason, message },
});

/**
 * The API statuses of one list of containers, from the runtime's records and the previous statuses.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses.
 */
export function containerStatuses(input: ContainerStatusInput): readonly ContainerStatus[] {
  const statuses = input.containers.map((container) => statusOf(input, container));
  return input.kind === 'init' ? statuses : statuses.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function statusOf(input: ContainerStatusInput, container: Container): ContainerStatus {
  const { pod, kind, runtime } = input;
  const previous = input.previous.find(({ name }) => name === container.name);
  const records = runtime.containers.filter(({ name }) => name === container.name);
  const [newest, older] = records;
  const base =
    newest === undefined
      ? withoutRecord(input, container, previous)
      : fromRecord(input, container, newest, older, previous);
  if (kind === 'init') {
    if (newest?.state === 'exited' && newest.exitCode === 0) return base;
    if (
      newest === undefined &&
      !isSidecar(container) &&
      base.state?.waiting !== undefined &&
      hasRegularRecord(pod, runtime)
    ) {
      return { ...base, state: unseenCompletion };
    }
  }
  const failure = input.startFailure(container.name);
  if (failure === undefined || !shouldContainerBeStarted(pod, container, newestRecord(runtime, container.name)))
    return base;
  return {
    ...base,
    state: { waiting: { reason: failure.reason, message: failure.message } },
    ...(base.state?.terminated !== undefined && { lastState: { terminated: base.state.terminated } }),
  };
}

function hasRegularRecord(pod: Pod, runtime: RuntimePodStatus): boolean {
  const names = new Set(pod.spec.containers.map(({ name }) => name));
  return runtime.containers.some(({ name, state }) => names.has(name) && state !== 'unknown');
}

function withoutRecord(
  { pod, restartingAll, supportsRecursiveReadOnly }: ContainerStatusInput,
  container: Container,
  previous: ContainerStatus | undefined,
): ContainerStatus {
  const waiting: ContainerState = {
    waiting: { reason: (pod.spec.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating' },
  };
  const volumeMounts = volumeMountStatuses(container, supportsRecursiveReadOnly);
  const base: ContainerStatus = {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: false,
    started: false,
    restartCount: previous?.restartCount ?? 0,
    state: waiting,
    lastState: previous?.lastState ?? {},
    ...(volumeMounts !== undefined && { volumeMounts }),
  };
  const ended = previous?.state?.terminated !== undefined;
  if (restartingAll && previous !== undefined && previous.state?.waiting === undefined)
    return removedForRestart(ended ? previous : base, previous);
  if (ended) return previous;
  // It was last seen running and its record is gone: something other than the kubelet removed it.
  if (previous?.state?.running === undefined || hasTermination(previous.lastState)) return base;
  return {
    ...base,
    lastState: unknownEnd(
      'The container could not be located when the pod was deleted.  The container used to be Running',
    ),
    restartCount: base.restartCount + (pod.metadata.deletionTimestamp === undefined ? 1 : 0),
  };
}

// Its record was removed on purpose; it restarts with the others.
function removedForRestart(base: ContainerStatus, previous: ContainerStatus): ContainerStatus {
  const told = {
    reason: 'RestartingAllContainers',
    message: 'The container is removed because RestartAllContainers in place',
  };
  return {
    ...base,
    restartCount: previous.restartCount + 1,
    state: { waiting: told },
    lastState: { terminated: { ...told, exitCode: 137 } },
  };
}

const hasTermination = (state: ContainerState | undefined): boolean => state?.terminated !== undefined;

function fromRecord(
  { runtimeName, restartingAll, showStopSignals, actuated, supportsRecursiveReadOnly }: ContainerStatusInput,
  container: Container,
  record: RuntimeContainerStatus,
  older: RuntimeContainerStatus | undefined,
  previous: ContainerStatus | undefined,
): ContainerStatus {
  const containerID = `${runtimeName}://${record.id}`;
  const sameContainer = previous?.containerID === containerID;
  const restartCount = countOf(record, previous);
  const carriedOver =
    !sameContainer && previous?.state?.terminated !== undefined
      ? { terminated: previous.state.terminated }
      : (previous?.lastState ?? {});
  // From the spec: mounts never change, and the runtime does not know the names of volumes.
  const volumeMounts =
    previous === undefined ? volumeMountStatuses(container, supportsRecursiveReadOnly) : previous.volumeMounts;
  const user = record.cri.user?.linux;
  const stopSignal = showStopSignals ? nameOfSignal(record.cri.stopSignal) : undefined;
  return {
    name: container.name,
    state: stateOf(record, runtimeName, previous, restartingAll),
    lastState: older === undefined ? carriedOver : stateOf(older, runtimeName, previous, restartingAll),
    ready: false,
    restartCount,
    image: record.image,
    imageID: record.imageRef,
    containerID,
    started: sameContainer && previous.started === true && record.state === 'running',
    ...containerResourcesStatus(container, record, sameContainer ? previous : undefined, actuated?.[container.name]),
    ...(stopSignal !== undefined && { stopSignal }),
    ...(volumeMounts !== undefined && { volumeMounts }),
    ...(user !== undefined && {
      user: {
        linux: {
          uid: Number(user.uid),
          gid: Number(user.gid),
          ...(user.supplementalGroups.length > 0 && { supplementalGroups: user.supplementalGroups.map(Number) }),
        },
      },
    }),
  };
}

// Never lower the count: records may have been collected or come from another sandbox.
function countOf(record: RuntimeContainerStatus, previous: ContainerStatus | undefined): number {
  const before = previous?.restartCount ?? 0;
  if (record.state === 'unknown')
    return previous?.state?.running === undefined ? Math.max(record.restartCount, before) : before + 1;
  if (record.state === 'running' && previous?.state?.terminated !== undefined && record.restartCount <= before)
    return before + 1;
  return Math.max(record.restartCount, before);
}

function stateOf(
  record: RuntimeContainerStatus,
  runtimeName: string,
  previous: ContainerStatus | undefined,
  restartingAll: boolean,
): ContainerState {
  const startedAt = apiTime(record.startedAt);
  switch (record.state) {
    case 'running':
      return { running: { startedAt } };
    case 'exited':
      return {
        terminated: {
          exitCode: record.exitCode,
          ...(record.reason !== '' && { reason: record.reason }),
          ...(record.message !== '' && { message: record.message }),
          startedAt,
          finishedAt: apiTime(record.finishedAt),
          containerID: `${runtimeName}://${record.id}`,
        },
      };
    case 'unknown':
      return previous?.state?.running === undefined
        ? { waiting: {} }
        : unknownEnd(
            'The container could not be located when the pod was terminated',
            restartingAll ? 'RestartingAllContainers' : undefined,
          );
    case 'created':
      return { waiting: {} };
  }
}
