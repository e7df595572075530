import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { isSidecar, isTerminalPhase } from '@podwright/kube-types';

export interface PodSummary {
  readonly ready: number;
  /** The word in the column STATUS. */
  readonly reason: string;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

interface Count {
  ready: number;
  restarts: number;
  lastRestart: string | undefined;
}

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go printPod. */
export function podSummary(pod: Pod): PodSummary {
  const { status, metadata } = pod;
  const all: Count = { ready: 0, restarts: 0, lastRestart: undefined };
  const sidecars: Count = { ready: 0, restarts: 0, lastRestart: undefined };
  const initializing = initReason(pod, all, sidecars);
  const isInitialized = status?.conditions?.find(({ type }) => type === 'Initialized')?.status === 'True';
  const shown = initializing === undefined || isInitialized;
  // Restarts of plain init containers do not count once they are done.
  const count = shown ? { ...sidecars, ready: all.ready } : all;
  const before = initializing ?? firstReason(pod);
  const reason = shown ? regularReason(pod, before, count) : before;
  const isEnding = metadata.deletionTimestamp !== undefined;
  if (isEnding && status?.reason === 'NodeLost') return { ...count, reason: 'Unknown' };
  return { ...count, reason: isEnding && !isTerminalPhase(status?.phase ?? '') ? 'Terminating' : reason };
}

function firstReason({ status }: Pod): string {
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  if (isGated === true) return 'SchedulingGated';
  return status?.reason !== undefined && status.reason !== '' ? status.reason : (status?.phase ?? '');
}

/** The word for an unfinished init phase; counts its restarts on the way. */
function initReason({ spec, status }: Pod, all: Count, sidecars: Count): string | undefined {
  const inits = new Map((spec.initContainers ?? []).map((container) => [container.name, container]));
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const spec_ = inits.get(container.name);
    const sidecar = spec_ !== undefined && isSidecar(spec_);
    countRestarts(container, all);
    if (sidecar) countRestarts(container, sidecars);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready) all.ready += 1;
      continue;
    }
    if (terminated !== undefined) return `Init:${terminatedReason(terminated)}`;
    const isWaiting = (waiting?.reason ?? '') !== '' && waiting?.reason !== 'PodInitializing';
    return isWaiting ? `Init:${waiting?.reason ?? ''}` : `Init:${index}/${inits.size}`;
  }
  return undefined;
}

function regularReason({ status }: Pod, before: string, count: Count): string {
  let reason = before;
  let running = false;
  let failure = '';
  for (const container of [...(status?.containerStatuses ?? [])].reverse()) {
    countRestarts(container, count);
    const { waiting, terminated, running: isRunning } = container.state ?? {};
    if ((waiting?.reason ?? '') !== '') reason = waiting?.reason ?? '';
    else if (terminated !== undefined) {
      reason = terminatedReason(terminated);
      if (terminated.exitCode !== 0) failure = reason;
    } else if (container.ready && isRunning !== undefined) {
      running = true;
      count.ready += 1;
    }
  }
  if (reason !== 'Completed') return reason;
  // Some containers have completed; the others decide.
  const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  if (running && isReady === true) return 'Running';
  if (failure !== '') return failure;
  return running ? 'NotReady' : reason;
}

type Terminated = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

function terminatedReason({ reason, signal, exitCode }: Terminated): string {
  if (reason !== undefined && reason !== '') return reason;
  return signal !== undefined && signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function countRestarts({ restartCount, lastState }: ContainerStatus, count: Count): void {
  count.restarts += restartCount;
  const finishedAt = lastState?.terminated?.finishedAt;
  if (finishedAt === undefined) return;
  if (count.lastRestart === undefined || count.lastRestart < finishedAt) count.lastRestart = finishedAt;
}
