import { isTerminalPhase, type ContainerStatus, type Pod } from '@podwright/kube-types';
import type { ApiObject } from '../api-object.js';
import { ageOf } from './human-duration.js';
import { columns, none, type Cell, type TablePrinter } from './table-printer.js';

const ended: Readonly<Record<string, unknown>> = {
  Succeeded: { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  Failed: { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
};

/** The table of pods. Source: kubernetes v1.36 pkg/printers/internalversion/printers.go printPod. */
export const podPrinter: TablePrinter = {
  columns: columns('Name', 'Ready', 'Status', 'Restarts', 'Age', '+IP', '+Node', '+Nominated Node', '+Readiness Gates'),
  cells: (object, nowMs) => podCells(object as unknown as Pod & ApiObject, nowMs),
  conditions: (object) => {
    const condition = ended[(object as unknown as Pod).status?.phase ?? ''];
    return condition === undefined ? [] : [condition];
  },
};

interface Look {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestartMs: number;
}

function podCells(pod: Pod & ApiObject, nowMs: number): readonly Cell[] {
  const { metadata, spec, status = {} } = pod;
  const { reason, ready, restarts, lastRestartMs } = lookOf(pod);
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').length;
  const ago = restarts > 0 && lastRestartMs > 0 ? ` (${ageOf(new Date(lastRestartMs).toISOString(), nowMs)} ago)` : '';
  const gates = spec.readinessGates ?? [];
  const trueGates = gates.filter(({ conditionType }) =>
    status.conditions?.some(({ type, status: value }) => type === conditionType && value === 'True'),
  );
  return [
    metadata.name ?? '',
    `${ready}/${spec.containers.length + sidecars}`,
    reason,
    `${restarts}${ago}`,
    ageOf(timeText(metadata.creationTimestamp), nowMs),
    status.podIPs?.[0]?.ip ?? status.podIP ?? none,
    spec.nodeName === undefined || spec.nodeName === '' ? none : spec.nodeName,
    (status as { nominatedNodeName?: string }).nominatedNodeName ?? none,
    gates.length === 0 ? none : `${trueGates.length}/${gates.length}`,
  ];
}

function lookOf(pod: Pod & ApiObject): Look {
  const { metadata, status = {} } = pod;
  const phase = status.phase ?? '';
  const gated = status.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  const base =
    gated === true ? 'SchedulingGated' : status.reason !== undefined && status.reason !== '' ? status.reason : phase;
  const init = initLook(pod, base);
  const initialized = status.conditions?.some(({ type, status: value }) => type === 'Initialized' && value === 'True');
  const look = init.initializing && initialized !== true ? init : containersLook(pod, init);
  if (metadata.deletionTimestamp === undefined) return look;
  if (status.reason === 'NodeLost') return { ...look, reason: 'Unknown' };
  return isTerminalPhase(phase) ? look : { ...look, reason: 'Terminating' };
}

interface InitLook extends Look {
  readonly initializing: boolean;
  readonly sidecars: Pick<Look, 'restarts' | 'lastRestartMs'>;
}

function initLook({ spec, status }: Pod, base: string): InitLook {
  const all = spec.initContainers ?? [];
  const sidecarNames = new Set(all.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));
  let [reason, ready, initializing] = [base, 0, false];
  let restarted: readonly ContainerStatus[] = [];
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    restarted = [...restarted, container];
    const { terminated, waiting } = container.state ?? {};
    if (terminated !== undefined && terminated.exitCode === 0) continue;
    if (sidecarNames.has(container.name) && container.started === true) {
      if (container.ready === true) ready += 1;
      continue;
    }
    initializing = true;
    if (terminated !== undefined) reason = `Init:${endReason(terminated)}`;
    else if (waiting?.reason !== undefined && waiting.reason !== '' && waiting.reason !== 'PodInitializing') {
      reason = `Init:${waiting.reason}`;
    } else reason = `Init:${index}/${all.length}`;
    break;
  }
  const sidecars = restartsOf(restarted.filter(({ name }) => sidecarNames.has(name)));
  return { reason, ready, initializing, sidecars, ...restartsOf(restarted) };
}

function containersLook({ status }: Pod, init: InitLook): Look {
  const containers = status?.containerStatuses ?? [];
  let { reason, ready } = init;
  let running = false;
  for (const { state = {}, ready: isReady } of [...containers].reverse()) {
    if (state.waiting?.reason !== undefined && state.waiting.reason !== '') reason = state.waiting.reason;
    else if (state.terminated !== undefined) reason = endReason(state.terminated);
    else if (isReady === true && state.running !== undefined) {
      running = true;
      ready += 1;
    }
  }
  if (reason === 'Completed' && running) {
    const podReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
    reason = podReady === true ? 'Running' : 'NotReady';
  }
  const own = restartsOf(containers);
  const lastRestartMs = Math.max(own.lastRestartMs, init.sidecars.lastRestartMs);
  return { reason, ready, restarts: own.restarts + init.sidecars.restarts, lastRestartMs };
}

function endReason({ reason, signal, exitCode }: { reason?: string; signal?: number; exitCode?: number }): string {
  if (reason !== undefined && reason !== '') return reason;
  return signal !== undefined && signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;
}

function restartsOf(containers: readonly ContainerStatus[]): Pick<Look, 'restarts' | 'lastRestartMs'> {
  const ends = containers.map(({ lastState }) => Date.parse(timeText(lastState?.terminated?.finishedAt) ?? '') || 0);
  return {
    restarts: containers.reduce((sum, { restartCount }) => sum + (restartCount ?? 0), 0),
    lastRestartMs: Math.max(0, ...ends),
  };
}

function timeText(time: unknown): string | undefined {
  return typeof time === 'string' ? time : undefined;
}
