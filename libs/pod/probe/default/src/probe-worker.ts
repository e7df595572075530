import { journalPod } from '@podwright/journal-interface';
import {
  isSidecar,
  isTerminalPhase,
  podRef,
  podUid,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  type Probe,
} from '@podwright/kube-types';
import type { ProbeKind, ProbeResult } from '@podwright/probe-interface';
import type { AttemptPacer } from './attempt-pacer.js';
import type { ContainerProber, ProbeAnswer } from './container-prober.js';
import { kindNames, type ProbeMetrics, type ProbeSeries } from './probe-metrics.js';
import type { ProbeNeeds } from './probe-needs.js';
import { comesBack, probedStatus } from './probe-target-status.js';
import { ResultRun } from './result-run.js';
import { bareContainerId } from './results/container-id.js';
import type { ProbeResultStore, ResultOwner } from './results/probe-result-store.js';
import { startedBeforeKubelet } from './results/started-before-kubelet.js';
import { Ticker } from './ticker.js';

/** What all workers share. */
export interface ProbeWorkerDeps extends Pick<ProbeNeeds, 'statuses' | 'clock' | 'random' | 'logger' | 'journal'> {
  readonly prober: Pick<ContainerProber, 'probe'>;
  readonly results: ProbeResultStore;
  readonly pacer: AttemptPacer;
  readonly metrics: ProbeMetrics;
}

/** What one worker probes. Pod and probe are those of its creation. */
export interface ProbeAssignment {
  readonly pod: Pod;
  readonly container: Container;
  readonly kind: ProbeKind;
  readonly probe: Probe;
  /** Milliseconds of the wall clock as it is set now. */
  readonly kubeletStartedAtMs: () => number;
  /** The kubelet is younger than one period: many workers are created at once, and should not start at once. */
  readonly kubeletIsYoung: boolean;
}

// The events have more.
const shownCharacters = 1024;

const initialResults: Readonly<Record<ProbeKind, ProbeResult>> = {
  liveness: 'success',
  readiness: 'failure',
  startup: 'unknown',
};

/**
 * Runs one probe of a container until it is stopped or the container has ended for good. Reads the container from the
 * status manager, so it continues with each new container of that name. Source: kubernetes v1.36
 * pkg/kubelet/prober/worker.go.
 */
export class ProbeWorker {
  private readonly stopping = new AbortController();
  private readonly ticker: Ticker;
  private readonly run: ResultRun;
  private readonly series: ProbeSeries;
  /** With its runtime prefix; empty before the first container. */
  private containerId = '';
  private onHold = false;
  /** When this worker first saw the container, by the monotonic clock. */
  private metAtMs = 0;
  /** Answer of the last attempt, if that has failed. */
  private lastFailure: string | undefined;

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

  /** Id of the last container that was probed, with its runtime prefix; empty before that. */
  get lastContainerId(): string {
    return this.containerId;
  }

  /** Runs until it is stopped or the container will not run again. Never rejects. */
  async work(): Promise<void> {
    const { signal } = this.stopping;
    await this.initialDelay(signal);
    // The ticks start with the first run, not with the creation.
    this.ticker.restart();
    while (!signal.aborted && (await this.attempt(signal))) await this.ticker.next(signal);
  }

  /** Runs the probe now, if it may run at all. */
  trigger(): void {
    this.ticker.trigger();
  }

  /**
   * Ends the work at once and closes its sockets. `forget`: also remove the result; keep it when only the kubelet
   * stops. May be called twice.
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
    const { podUid: uid, container, kind } = this.series;
    const pauseMs = this.deps.random.next(`probe ${uid}/${container}/${kind}`) * this.periodMs;
    // The signal ends the wait as well as the work.
    await this.deps.clock.sleep(pauseMs, signal).catch(() => undefined);
  }

  /** One run. False: no further run. An error must not end the probing of a container. */
  private async attempt(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.runOnce(signal);
    } catch (error) {
      if (!signal.aborted) this.deps.logger.error('A probe could not be made', { ...this.series, error });
      return true;
    }
  }

  private async runOnce(signal: AbortSignal): Promise<boolean> {
    const { pod, container } = this.assignment;
    const status = this.deps.statuses.getPodStatus(podUid(pod));
    if (status === undefined) return true;
    if (isTerminalPhase(status.phase)) return false;
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

  // Continue with the result of an earlier kubelet as if it were ours: nothing flips because of a restart.
  private async meet(found: ContainerStatus, signal: AbortSignal): Promise<void> {
    const { container, kind, kubeletStartedAtMs } = this.assignment;
    const { results } = this.deps;
    if (this.containerId !== '') results.remove(kind, this.owner());
    this.containerId = found.containerID ?? '';
    this.metAtMs = this.deps.clock.monotonic();
    this.onHold = false;
    results.keepOnly(kind, this.owner());
    const known = results.get(kind, bareContainerId(this.containerId));
    if (known !== undefined) {
      this.onHold = kind === 'startup' && known !== 'unknown';
      return;
    }
    if (kind === 'startup' && isSidecar(container) && found.started === true) await this.publish('success', signal);
    if (!startedBeforeKubelet(found, kubeletStartedAtMs())) await this.publish(initialResults[kind], signal);
  }

  private endsQuietly(): boolean {
    const { pod, kind } = this.assignment;
    return kind !== 'readiness' && pod.metadata.deletionTimestamp !== undefined;
  }

  private isDue({ state, started }: ContainerStatus): boolean {
    const { kind, probe } = this.assignment;
    const { clock } = this.deps;
    const startedAt = Date.parse(state?.running?.startedAt ?? '');
    // The wall clock may have been set back since the start; then the container would not be probed for as long.
    const ageMs = Math.max(clock.now() - startedAt, clock.monotonic() - this.metAtMs);
    const ageSeconds = Math.floor(ageMs / 1000);
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
    const answer = await prober.probe(kind, probe, target, signal);
    if (answer === undefined || signal.aborted) return;
    const { outcome: result } = answer;
    if (result === 'error') {
      this.journalize(answer, false);
      return;
    }
    metrics.observe(this.series, result, (clock.monotonic() - begunAt) / 1000);
    const counts = this.run.add(result);
    this.journalize(answer, counts && this.deps.results.get(kind, containerId) !== result);
    if (!counts) return;
    await this.publish(result, signal);
    // Probing a container that is being stopped only does harm, and a startup result is final.
    if (kind === 'startup' || (kind === 'liveness' && result === 'failure')) {
      this.onHold = true;
      this.run.reset();
    }
  }

  /** Only what is new: a container that fails for days gives the same answer each period. */
  private journalize({ outcome, output }: ProbeAnswer, changed: boolean): void {
    const { pod, container, kind } = this.assignment;
    const shown = output.slice(0, shownCharacters);
    const isKnown = outcome === 'error' || this.run.inARow > this.run.thresholdOf('failure');
    const isRepeated = isKnown && this.lastFailure === shown;
    this.lastFailure = outcome === 'success' ? undefined : shown;
    if (!changed && (outcome === 'success' || isRepeated)) return;
    this.deps.journal?.report({
      kind: 'probe.result',
      pod: journalPod(pod),
      container: container.name,
      containerId: bareContainerId(this.containerId),
      probe: kind,
      outcome,
      output: shown,
      inARow: outcome === 'error' ? 0 : this.run.inARow,
      threshold: this.run.thresholdOf(outcome === 'success' ? 'success' : 'failure'),
      changed,
    });
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
