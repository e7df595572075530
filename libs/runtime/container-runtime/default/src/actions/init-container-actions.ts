import {
  newestRecord,
  shouldContainerBeStarted,
  type ResizePlan,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { isSidecar } from '@podwright/kube-types';
import type { ProbeResults } from '@podwright/probe-interface';
import { containerHash } from '../pod-records/container-hash.js';
import type { ContainerKill, KillReason } from './pod-actions.js';
import { restartPolicyOf } from './restart-decision.js';

export interface InitContainerActions {
  /** True once the regular containers may start. */
  readonly initialized: boolean;
  /** An init container has failed for good. */
  readonly killPod: boolean;
  readonly toStart: readonly number[];
  readonly toKill: readonly ContainerKill[];
}

interface Scan {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly probes: Pick<ProbeResults, 'get'>;
  readonly plan: ResizePlan;
  readonly toStart: number[];
  readonly toKill: ContainerKill[];
  initialized: boolean;
  failed: boolean;
}

/**
 * Goes from the last init container to the first: records of early ones may be removed, so the last one with a record
 * shows how far the pod has come. Source: kubernetes v1.36 computeInitContainerActions.
 */
export function computeInitContainerActions(
  pod: Pod,
  everything: RuntimePodStatus,
  probes: Pick<ProbeResults, 'get'>,
  plan: ResizePlan,
): InitContainerActions {
  const containers = pod.spec.initContainers ?? [];
  if (containers.length === 0) return { initialized: true, killPod: false, toStart: [], toKill: [] };
  const status = inNewestSandbox(everything);
  const initialized = pod.spec.containers.some((container) => {
    // Upstream does not count exited ones, as they may belong to an earlier sandbox.
    const state = newestRecord(status, container.name)?.state;
    return state === 'created' || state === 'running';
  });
  const scan: Scan = { pod, status, probes, plan, toStart: [], toKill: [], initialized, failed: false };
  let initializedBefore = initialized;
  for (let index = containers.length - 1; index >= 0; index--) {
    const container = containers[index] as Container;
    const record = newestRecord(status, container.name);
    if (record === undefined) {
      if (initializedBefore && isSidecar(container)) scan.toStart.push(index);
      continue;
    }
    const isLast = index === containers.length - 1;
    if (isSidecar(container)) examineSidecar(scan, container, record, index, { isLast, initializedBefore });
    else if (!initializedBefore) examinePlain(scan, container, record, index, isLast);
    if (scan.failed) return { initialized: false, killPod: true, toStart: [], toKill: scan.toKill };
    initializedBefore = true;
  }
  if (!initializedBefore) scan.toStart.push(0);
  return { initialized: scan.initialized, killPod: false, toStart: scan.toStart.reverse(), toKill: scan.toKill };
}

/**
 * Init containers run anew in a new sandbox. Their earlier records are removed before it is made; one whose removal
 * failed must not pass for one that has run in it.
 */
function inNewestSandbox(status: RuntimePodStatus): RuntimePodStatus {
  const id = status.sandboxes[0]?.id;
  return { ...status, containers: status.containers.filter(({ podSandboxId }) => podSandboxId === id) };
}

function examinePlain(
  scan: Scan,
  container: Container,
  record: RuntimeContainerStatus,
  index: number,
  isLast: boolean,
): void {
  switch (record.state) {
    case 'created':
      scan.toStart.push(index);
      return;
    case 'running':
      if (scan.plan.resizesInitContainers && !scan.plan.keeps(container, record.id))
        restart(scan, container, record, index, resizeMessage(container));
      return;
    case 'exited':
      if (record.exitCode !== 0 || record.reason === 'OOMKilled') {
        if (shouldContainerBeStarted(scan.pod, container, newestRecord(scan.status, container.name)))
          scan.toStart.push(index);
        else scan.failed = true;
      } else if (isLast) scan.initialized = true;
      else scan.toStart.push(index + 1);
      return;
    case 'unknown':
      if (restartPolicyOf(scan.pod, container) === 'Never') scan.failed = true;
      else restart(scan, container, record, index, unknownMessage);
  }
}

function examineSidecar(
  scan: Scan,
  container: Container,
  record: RuntimeContainerStatus,
  index: number,
  { isLast, initializedBefore }: { readonly isLast: boolean; readonly initializedBefore: boolean },
): void {
  if (record.state === 'unknown') return restart(scan, container, record, index, unknownMessage);
  if (record.state !== 'running') return void scan.toStart.push(index);
  if (container.startupProbe !== undefined) {
    const startup = scan.probes.get('startup', record.id);
    if (startup === 'failure') {
      return restart(
        scan,
        container,
        record,
        index,
        `Init container ${container.name} failed startup probe`,
        'startup-probe',
      );
    }
    if (startup !== 'success') return;
  }
  if (isLast) scan.initialized = true;
  else if (!initializedBefore) scan.toStart.push(index + 1);
  if (containerHash(container) !== record.hash) {
    return restart(scan, container, record, index, `Init container ${container.name} definition changed`);
  }
  if (container.livenessProbe !== undefined && scan.probes.get('liveness', record.id) === 'failure') {
    return restart(
      scan,
      container,
      record,
      index,
      `Init container ${container.name} failed liveness probe`,
      'liveness-probe',
    );
  }
  if (!scan.plan.keeps(container, record.id)) restart(scan, container, record, index, resizeMessage(container));
}

const resizeMessage = ({ name }: Container): string => `Container ${name} resize requires restart`;

const unknownMessage = 'Init container is in "unknown" state, try killing it before restart';

function restart(
  scan: Scan,
  container: Container,
  record: RuntimeContainerStatus,
  index: number,
  message: string,
  reason: KillReason = 'other',
): void {
  scan.toKill.push({ container, containerId: record.id, message, reason });
  scan.toStart.push(index);
}
