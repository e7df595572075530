import {
  isSidecar,
  podRef,
  podUid,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  type Probe,
} from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { ProbeKind, ProbeResult } from '@podwright/probe-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { Clock, Random } from '@podwright/time';
import type { AttemptPacer } from './attempt-pacer.js';
import type { ContainerProber } from './container-prober.js';
import { kindNames, type ProbeMetrics, type ProbeSeries } from './probe-metrics.js';
import { comesBack, probedStatus } from './probe-target-status.js';
import { ResultRun } from './result-run.js';
import { bareContainerId } from './results/container-id.js';
import type { ProbeResultStore, ResultOwner } from './results/probe-result-store.js';
import { startedBeforeKubelet } from './results/started-before-kubelet.js';
import { Ticker } from './ticker.js';

/** What all workers share. */
export interface ProbeWorkerDeps {
  readonly prober: Pick<ContainerProber, 'probe'>;
  readonly results: ProbeResultStore;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly pacer: AttemptPacer;
  readonly metrics: ProbeMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** What one worker works on. The pod and the probe stay those of its making. */
export interface ProbeAssignment {
  readonly pod: Pod;
  readonly container: Container;
  readonly kind: ProbeKind;
  readonly probe: Probe;
  /** Wall clock, milliseconds. */
  readonly kubeletStartedAtMs: number;
  /** The kubelet is younger than one period: many workers are made at once, and should not begin at once. */
  readonly kubeletIsYoung: boolean;
}

const initialResults: Readonly<Record<ProbeKind, ProbeResult>> = {
  liveness: 'success',
  readiness: 'failure',
  startup: 'unknown',
};

/**
 * Probes one container in one way until it is stopped or the container has ended for good. It takes the container from the
 * status manager, so it goes on with each new container of that name. Source: kubernetes v1.36 pkg/kubelet/prober/worker.go.
 */
export class ProbeWorker {
  private readonly stopping = new AbortController();
  private readonly ticker: Ticker;
  private readonly run: ResultRun;
  private readonly series: ProbeSeries;
  /** With its runtime prefix; the empty string before the first one. */
  private containerId = '';
  private onHold = false;

  constructor(
    private readonly deps: ProbeWorkerDeps,
    private readonly assignment: ProbeAssignment,
  ) {
    const { pod, container, kind, probe } = assignment;
    const { name = '', namespace = '' } = pod.metadata;
    this.ticker = new Ticker(deps.clock, this.periodMs);
    this.run = new ResultRun(probe);
    this.series = { kind, container: container.name, pod: name, podUid: podUid(pod), namespace };
  }

  /** Id of the last container that it looked at, with its runtime prefix; the empty string before that. */
  get lastContainerId(): string {
    return this.containerId;
  }

  /** Works until it is stopped or the container does not come back; then its result and its metrics are removed. Never rejects. */
  async work(): Promise<void> {
    const { signal } = this.stopping;
    await this.initialDelay(signal);
    // The grid begins with the first run, not with the making.
    this.ticker.restart();
    while (!signal.aborted && (await this.look(signal))) await this.ticker.next(signal);
  }

  /** Runs the probe now, if it may run at all. */
  trigger(): void {
    this.ticker.trigger();
  }

  /**
   * Ends the work at once, with every socket of it. `forget`: the result goes too; it stays when only the kubelet ends. May
   * come twice.
   */
  stop({ forget }: { readonly forget: boolean }): void {
    this.stopping.abort();
    this.deps.metrics.remove(this.series);
    if (forget && this.containerId !== '') this.deps.results.remove(this.assignment.kind, this.owner());
  }

  private get periodMs(): number {
    return (this.assignment.probe.periodSeconds ?? 10) * 1000;
  }

  private async initialDelay(signal: AbortSignal): Promise<void> {
    if (!this.assignment.kubeletIsYoung) return;
    // The signal ends the wait as well as the work.
    await this.deps.clock.sleep(this.deps.random.next() * this.periodMs, signal).catch(() => undefined);
  }

  /** One run. False: there is nothing more to do. What goes wrong in it must not end the probes of a container. */
  private async look(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.lookOnce(signal);
    } catch (error) {
      if (!signal.aborted) this.deps.logger.error('A probe could not be made', { ...this.series, error });
      return true;
    }
  }

  private async lookOnce(signal: AbortSignal): Promise<boolean> {
    const { pod, container } = this.assignment;
    const status = this.deps.statuses.getPodStatus(podUid(pod));
    if (status === undefined) return true;
    if (status.phase === 'Failed' || status.phase === 'Succeeded') return false;
    const found = probedStatus(status, container.name);
    if (found === undefined) return true;
    if (found.containerID !== this.containerId) await this.meet(found, signal);
    if (this.onHold) return true;
    if (found.state?.running === undefined) {
      await this.publish('failure', signal);
      return comesBack(pod, container, status, found);
    }
    if (this.endsQuietly()) {
      await this.publish('success', signal);
      return false;
    }
    if (!this.isDue(found)) return true;
    await this.probe(status, signal);
    return true;
  }

  // A result of an earlier process goes on as if it were our own: nothing flips because the kubelet was started again.
  private async meet(found: ContainerStatus, signal: AbortSignal): Promise<void> {
    const { container, kind, kubeletStartedAtMs } = this.assignment;
    const { results } = this.deps;
    if (this.containerId !== '') results.remove(kind, this.owner());
    this.containerId = found.containerID ?? '';
    this.onHold = false;
    results.keepOnly(kind, this.owner());
    const known = results.get(kind, bareContainerId(this.containerId));
    if (known !== undefined) {
      this.onHold = kind === 'startup' && known !== 'unknown';
      return;
    }
    if (kind === 'startup' && isSidecar(container) && found.started === true) await this.publish('success', signal);
    if (!startedBeforeKubelet(found, kubeletStartedAtMs)) await this.publish(initialResults[kind], signal);
  }

  private endsQuietly(): boolean {
    const { pod, kind } = this.assignment;
    return kind !== 'readiness' && pod.metadata.deletionTimestamp !== undefined;
  }

  private isDue({ state, started }: ContainerStatus): boolean {
    const { kind, probe } = this.assignment;
    const startedAt = Date.parse(state?.running?.startedAt ?? '');
    const ageSeconds = Math.floor((this.deps.clock.now() - startedAt) / 1000);
    if (ageSeconds < (probe.initialDelaySeconds ?? 0)) return false;
    return (kind === 'startup') !== (started === true);
  }

  private async probe(status: PodStatus, signal: AbortSignal): Promise<void> {
    const { pod, container, kind, probe } = this.assignment;
    const { clock, metrics, pacer, prober } = this.deps;
    const begunAt = clock.monotonic();
    await pacer.turn(signal);
    const containerId = bareContainerId(this.containerId);
    const target = { pod, container, containerId, podIp: status.podIP ?? '' };
    const result = await prober.probe(kind, probe, target, signal);
    if (result === undefined || signal.aborted) return;
    metrics.observe(this.series, result, (clock.monotonic() - begunAt) / 1000);
    if (!this.run.add(result)) return;
    await this.publish(result, signal);
    // Probing a container that is being stopped only does harm, and a startup result is final.
    if (kind === 'startup' || (kind === 'liveness' && result === 'failure')) {
      this.onHold = true;
      this.run.reset();
    }
  }

  private async publish(result: ProbeResult, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { kind, pod, container } = this.assignment;
    const { results, logger } = this.deps;
    if (results.get(kind, bareContainerId(this.containerId)) === result) return;
    logger.debug(2, 'Probe result changed', {
      probeType: kindNames[kind],
      pod: podRef(pod),
      container: container.name,
      result,
    });
    await results.set(kind, this.owner(), result, signal);
  }

  private owner(): ResultOwner {
    const { pod, container } = this.assignment;
    return { podUid: podUid(pod), container: container.name, containerId: this.containerId };
  }
}
