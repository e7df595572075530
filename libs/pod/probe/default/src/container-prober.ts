import { messageOf } from '@podwright/errors';
import { containerFieldPath, podRef, type Probe } from '@podwright/kube-types';
import type { ProbeKind, ProbeOutcome, ProbeTarget } from '@podwright/probe-interface';
import { kindNames } from './probe-metrics.js';
import type { ProbeNeeds } from './probe-needs.js';

const maxTries = 3;
type Attempt = () => Promise<ProbeOutcome>;

/** One attempt. An `error` does not count: the probe could not be made. */
export interface ProbeAnswer {
  readonly outcome: 'success' | 'failure' | 'error';
  readonly output: string;
}

/** Probes a container once, and reports failures as events. Source: kubernetes v1.36 pkg/kubelet/prober/prober.go. */
export class ContainerProber {
  constructor(private readonly deps: Pick<ProbeNeeds, 'probers' | 'events' | 'logger'>) {}

  /** undefined: the attempt says nothing. Never rejects. */
  async probe(
    kind: ProbeKind,
    probe: Probe,
    target: ProbeTarget,
    signal: AbortSignal,
  ): Promise<ProbeAnswer | undefined> {
    const outcome = await this.withRetries(this.attemptOf(probe, target, signal), signal);
    if (signal.aborted || outcome.result === 'inconclusive') return undefined;
    this.deps.logger.debug(outcome.result === 'success' ? 3 : 1, 'Probed', {
      probeType: kindNames[kind],
      pod: podRef(target.pod),
      container: target.container.name,
      ...outcome,
    });
    return this.judge(kindNames[kind], outcome, target);
  }

  private judge(
    name: string,
    outcome: Exclude<ProbeOutcome, { readonly result: 'inconclusive' }>,
    target: ProbeTarget,
  ): ProbeAnswer {
    if ('error' in outcome) {
      const text = `${name} probe errored and resulted in ${outcome.result} state: ${outcome.error}`;
      this.tell(target, 'Unhealthy', text);
      return { outcome: 'error', output: outcome.error };
    }
    if (outcome.result === 'warning') this.tell(target, 'ProbeWarning', `${name} probe warning: ${outcome.output}`);
    if (outcome.result === 'failure') this.tell(target, 'Unhealthy', `${name} probe failed: ${outcome.output}`);
    const isSuccess = outcome.result === 'success' || outcome.result === 'warning';
    return { outcome: isSuccess ? 'success' : 'failure', output: outcome.output };
  }

  private async withRetries(attempt: Attempt, signal: AbortSignal): Promise<ProbeOutcome> {
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt().catch((error: unknown): ProbeOutcome => {
        return { result: 'unknown', error: messageOf(error) };
      });
      if (!('error' in outcome) || tries === maxTries || signal.aborted) return outcome;
    }
  }

  private attemptOf(probe: Probe, target: ProbeTarget, signal: AbortSignal): Attempt {
    const { exec, httpGet, tcpSocket, grpc } = probe;
    const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
    if (exec !== undefined) return () => this.deps.probers.exec.probe(exec, target, timeoutMs, signal);
    if (httpGet !== undefined) return () => this.deps.probers.httpGet.probe(httpGet, target, timeoutMs, signal);
    if (tcpSocket !== undefined) return () => this.deps.probers.tcpSocket.probe(tcpSocket, target, timeoutMs, signal);
    if (grpc !== undefined) return () => this.deps.probers.grpc.probe(grpc, target, timeoutMs, signal);
    const error = `missing probe handler for ${podRef(target.pod)}:${target.container.name}`;
    return () => Promise.resolve({ result: 'unknown', error });
  }

  private tell({ pod, container }: ProbeTarget, reason: string, message: string): void {
    const fieldPath = containerFieldPath(pod, container.name);
    this.deps.events.event(
      { kind: 'Pod', pod, ...(fieldPath !== undefined && { fieldPath }) },
      'Warning',
      reason,
      message,
    );
  }
}
