import type { ContainerState, ContainerStatus, Pod } from '@podwright/kube-types';
import type { WarningEvents } from './warning-events.js';

/** One line per pod and container, as a person wants to see them; with the last warning where something is not well. */
export function describePods(pods: readonly Pod[], warnings?: WarningEvents): readonly string[] {
  return pods.flatMap((pod) => {
    const { metadata, status, spec } = pod;
    const object = `${metadata.namespace ?? 'default'}/${metadata.name ?? '?'}`;
    const address = status?.podIP === undefined ? '' : `  ${status.podIP}`;
    // A status with a reason of its own says the same as the event.
    const warning = isReady(pod) || status?.reason !== undefined ? undefined : warnings?.of(object);
    const head = `pod ${object}  ${status?.phase ?? 'Pending'}${hasReadyCondition(pod) ? ', ready' : ''}${address}`;
    const line = (kind: string, name: string, statuses: readonly ContainerStatus[] | undefined): string => {
      const own = statuses?.find((candidate) => candidate.name === name);
      if (own === undefined) return `  ${kind} ${name}  ${isFailed(pod) ? 'not started' : 'waiting'}`;
      return `  ${kind} ${name}  ${describeContainer(own, warnings?.of(object, name))}`;
    };
    return [
      joined(head, status?.reason, status?.message, warning),
      ...(spec.initContainers ?? []).map(({ name }) => line('init', name, status?.initContainerStatuses)),
      ...spec.containers.map(({ name }) => line('container', name, status?.containerStatuses)),
    ];
  });
}

function describeContainer({ state, lastState, restartCount, ready }: ContainerStatus, warning?: string): string {
  const now = describeState(state);
  const before = lastState?.terminated === undefined ? undefined : `before: ${describeState(lastState)}`;
  const restarts = restartCount > 0 ? [`restarts: ${restartCount}`, before].filter(Boolean).join(', ') : '';
  // A container that does what it should and always did needs no explanation, whatever happened on its way.
  const well = restartCount === 0 && (ready || state?.terminated?.exitCode === 0);
  return joined(restarts === '' ? now : `${now} (${restarts})`, well ? undefined : warning);
}

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

/** Shows the lines that changed: redrawn in place on a terminal, appended elsewhere. */
export class LiveView {
  private shown: readonly string[] = [];
  /** Lines on the screen that the next drawing goes over. */
  private drawn = 0;

  constructor(private readonly out: NodeJS.WriteStream) {}

  show(lines: readonly string[]): void {
    if (lines.join('\n') === this.shown.join('\n')) return;
    if (this.out.isTTY) {
      if (this.drawn > 0) this.out.write(`\u001b[${this.drawn}A\u001b[J`);
      this.out.write(lines.map((line) => `${line}\n`).join(''));
    } else {
      const before = new Set(this.shown);
      for (const line of lines) if (!before.has(line)) this.out.write(`${line}\n`);
    }
    this.shown = lines;
    this.drawn = rowsOf(lines, this.out.columns);
  }

  /** The next drawing starts below what is on the screen. */
  release(): void {
    this.drawn = 0;
  }
}

// A terminal breaks a line that is too long for it.
const rowsOf = (lines: readonly string[], columns: number | undefined): number =>
  lines.reduce((rows, line) => rows + (columns ? Math.max(1, Math.ceil(line.length / columns)) : 1), 0);
