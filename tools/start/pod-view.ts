import type { ContainerState, ContainerStatus, Pod } from '@podwright/kube-types';
import type { WarningEvents, Warnings } from './warning-events.js';

/** The view of one pod: its own line, then one line per container. */
export interface PodLines {
  /** `NAMESPACE/NAME`. */
  readonly pod: string;
  readonly lines: readonly string[];
}

export interface PodViewOptions {
  readonly warnings?: WarningEvents;
  /** Hint for an image whose registry could not be reached. */
  readonly unreachedRegistryHint?: string | undefined;
}

/** One line per pod and container; a pod or container that is not well also shows its last warning. */
export function describePods(pods: readonly Pod[], options?: PodViewOptions): readonly string[] {
  return podLines(pods, options).flatMap(({ lines }) => lines);
}

/** As {@link describePods}, grouped by pod. */
export function podLines(pods: readonly Pod[], options: PodViewOptions = {}): readonly PodLines[] {
  const { warnings, unreachedRegistryHint } = options;
  return pods.map((pod) => {
    const { metadata, status, spec } = pod;
    const object = `${metadata.namespace ?? 'default'}/${metadata.name ?? '?'}`;
    const address = status?.podIP === undefined ? '' : `  ${status.podIP}`;
    // A status with a reason already says what the event says.
    const warning = isReady(pod) || status?.reason !== undefined ? undefined : warnings?.of(object).now;
    const head = `pod ${object}  ${status?.phase ?? 'Pending'}${hasReadyCondition(pod) ? ', ready' : ''}${address}`;
    const line = (kind: string, name: string, statuses: readonly ContainerStatus[] | undefined): string => {
      const own = statuses?.find((candidate) => candidate.name === name);
      if (own === undefined) return `  ${kind} ${name}  ${isFailed(pod) ? 'not started' : 'waiting'}`;
      return `  ${kind} ${name}  ${describeContainer(own, warnings?.of(object, name), unreachedRegistryHint)}`;
    };
    const lines = [
      joined(head, status?.reason, status?.message, warning),
      ...(spec.initContainers ?? []).map(({ name }) => line('init', name, status?.initContainerStatuses)),
      ...spec.containers.map(({ name }) => line('container', name, status?.containerStatuses)),
    ];
    return { pod: object, lines };
  });
}

function describeContainer(
  { state, lastState, restartCount, ready }: ContainerStatus,
  warnings: Warnings | undefined,
  unreachedRegistryHint: string | undefined,
): string {
  const now = joined(describeState(state), isRegistryUnreached(state) ? unreachedRegistryHint : undefined);
  // What was the matter before the last start is no news about a container that runs.
  const isRunning = state?.running !== undefined;
  const past = isRunning ? warnings?.before : undefined;
  const present = isRunning ? warnings?.now : (warnings?.now ?? warnings?.wait);
  const before = lastState?.terminated === undefined ? undefined : `before: ${joined(describeState(lastState), past)}`;
  const restarts = restartCount > 0 ? [`restarts: ${restartCount}`, before].filter(Boolean).join(', ') : '';
  // A container that works and never failed needs no explanation.
  const well = restartCount === 0 && (ready || state?.terminated?.exitCode === 0);
  return joined(restarts === '' ? now : `${now} (${restarts})`, well || isExplained(state) ? undefined : present);
}

// The status of a container that could not be created has the error itself. CrashLoopBackOff does not tell the cause.
const isExplained = ({ waiting }: ContainerState = {}): boolean =>
  waiting?.message !== undefined && waiting.message !== '' && waiting.reason !== 'CrashLoopBackOff';

// containerd's text for a request without an answer, as opposed to a refusal.
const isRegistryUnreached = ({ waiting }: ContainerState = {}): boolean =>
  /^(ErrImagePull|ImagePullBackOff|RegistryUnavailable)$/.test(waiting?.reason ?? '') &&
  /failed to do request|dial tcp/.test(waiting?.message ?? '');

function describeState({ waiting, running, terminated }: ContainerState = {}): string {
  if (running !== undefined) return 'running';
  if (terminated !== undefined) return `${terminated.reason ?? 'terminated'}, exit code ${terminated.exitCode}`;
  return joined(waiting?.reason ?? 'waiting', waiting?.message);
}

// Leaves out a text that an earlier one contains: warnings often repeat the reason and message.
function joined(...texts: readonly (string | undefined)[]): string {
  let all = '';
  for (const text of texts)
    if (text !== undefined && text !== '' && !all.includes(text)) all += all === '' ? text : `: ${text}`;
  return all;
}

const hasReadyCondition = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

export function isReady(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || hasReadyCondition(pod);
}

/** True when the pod was rejected or has failed for good, and so will never be ready. */
export function isFailed({ status }: Pod): boolean {
  return status?.phase === 'Failed';
}
