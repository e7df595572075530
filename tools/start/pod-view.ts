import type { ContainerState, ContainerStatus, Pod } from '@podwright/kube-types';
import type { WarningEvents } from './warning-events.js';

/** What is shown of one pod: its line, and below it one for each container. */
export interface PodLines {
  /** `NAMESPACE/NAME`. */
  readonly pod: string;
  readonly lines: readonly string[];
}

export interface PodViewOptions {
  readonly warnings?: WarningEvents;
  /** What to say where an image's registry was not reached. */
  readonly unreachedRegistryHint?: string | undefined;
}

/** One line per pod and container, as a person wants to see them; with the last warning where something is not well. */
export function describePods(pods: readonly Pod[], options?: PodViewOptions): readonly string[] {
  return podLines(pods, options).flatMap(({ lines }) => lines);
}

/** The same, pod by pod. */
export function podLines(pods: readonly Pod[], options: PodViewOptions = {}): readonly PodLines[] {
  const { warnings, unreachedRegistryHint } = options;
  return pods.map((pod) => {
    const { metadata, status, spec } = pod;
    const object = `${metadata.namespace ?? 'default'}/${metadata.name ?? '?'}`;
    const address = status?.podIP === undefined ? '' : `  ${status.podIP}`;
    // A status with a reason of its own says the same as the event.
    const warning = isReady(pod) || status?.reason !== undefined ? undefined : warnings?.of(object);
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
  warning: string | undefined,
  unreachedRegistryHint: string | undefined,
): string {
  const now = joined(describeState(state), isRegistryUnreached(state) ? unreachedRegistryHint : undefined);
  const before = lastState?.terminated === undefined ? undefined : `before: ${describeState(lastState)}`;
  const restarts = restartCount > 0 ? [`restarts: ${restartCount}`, before].filter(Boolean).join(', ') : '';
  // A container that does what it should and always did needs no explanation, whatever happened on its way.
  const well = restartCount === 0 && (ready || state?.terminated?.exitCode === 0);
  return joined(restarts === '' ? now : `${now} (${restarts})`, well || isExplained(state) ? undefined : warning);
}

// The status of a container that could not be made has the error itself. A pause between crashes says nothing of their cause.
const isExplained = ({ waiting }: ContainerState = {}): boolean =>
  waiting?.message !== undefined && waiting.message !== '' && waiting.reason !== 'CrashLoopBackOff';

// As containerd has it of a request that got no answer, not of an answer that was no.
const isRegistryUnreached = ({ waiting }: ContainerState = {}): boolean =>
  /^(ErrImagePull|ImagePullBackOff|RegistryUnavailable)$/.test(waiting?.reason ?? '') &&
  /failed to do request|dial tcp/.test(waiting?.message ?? '');

function describeState({ waiting, running, terminated }: ContainerState = {}): string {
  if (running !== undefined) return 'running';
  if (terminated !== undefined) return `${terminated.reason ?? 'terminated'}, exit code ${terminated.exitCode}`;
  return joined(waiting?.reason ?? 'waiting', waiting?.message);
}

// The warning often says what reason and message have said.
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

/** Refused, or ended for good with a failure: it will never be ready. */
export function isFailed({ status }: Pod): boolean {
  return status?.phase === 'Failed';
}
