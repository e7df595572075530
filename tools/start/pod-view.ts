import type { ContainerStatus, Pod } from '@podwright/kube-types';

/** One line per pod and container, as a person wants to see them. */
export function describePods(pods: readonly Pod[]): readonly string[] {
  return pods.flatMap(({ metadata, status, spec }) => {
    const ready = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
    const address = status?.podIP === undefined ? '' : `  ${status.podIP}`;
    const head = `pod ${metadata.namespace ?? 'default'}/${metadata.name ?? '?'}  ${status?.phase ?? 'Pending'}${ready ? ', ready' : ''}${address}`;
    const init = (spec.initContainers ?? []).map(
      ({ name }) => `  init ${name}  ${stateOf(find(status?.initContainerStatuses, name))}`,
    );
    const regular = spec.containers.map(
      ({ name }) => `  container ${name}  ${stateOf(find(status?.containerStatuses, name))}`,
    );
    return [head, ...init, ...regular];
  });
}

const find = (statuses: readonly ContainerStatus[] | undefined, name: string): ContainerStatus | undefined =>
  statuses?.find((status) => status.name === name);

function stateOf(status: ContainerStatus | undefined): string {
  const { waiting, running, terminated } = status?.state ?? {};
  const restarts = status?.restartCount ? ` (restarts: ${status.restartCount})` : '';
  if (running !== undefined) return `running${restarts}`;
  if (terminated !== undefined)
    return `${terminated.reason ?? 'terminated'}, exit code ${terminated.exitCode}${restarts}`;
  return [waiting?.reason ?? 'waiting', waiting?.message].filter(Boolean).join(': ') + restarts;
}

export function isReady({ status }: Pod): boolean {
  return (
    status?.phase === 'Succeeded' ||
    (status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false)
  );
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
    this.drawn = lines.length;
  }

  /** The next drawing starts below what is on the screen. */
  release(): void {
    this.drawn = 0;
  }
}
