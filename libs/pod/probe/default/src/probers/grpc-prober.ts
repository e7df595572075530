import { joinHostPort } from '@podwright/http-action';
import type { Probe } from '@podwright/kube-types';
import type { Prober, ProbeOutcome, ProbeTarget } from '@podwright/probe-interface';
import { formatGoDuration, GrowingPause, type Clock } from '@podwright/time';
import type { AttemptTime } from './attempt-time.js';
import { healthCall, type HealthCall } from './health-call.js';
import type { StallGuard } from './stall-guard.js';
import { targetHost } from './target-host.js';

type GrpcAction = NonNullable<Probe['grpc']>;

// grpc-go's back-off between two connection attempts: its default first pause and factor.
const firstPauseMs = 1000;
const pauseFactor = 1.6;

/** Calls grpc.health.v1.Health/Check of the pod in plain text. Source: kubernetes v1.36 pkg/probe/grpc/grpc.go. */
export class GrpcProber implements Prober<GrpcAction> {
  constructor(
    private readonly guard: StallGuard,
    private readonly clock: Clock,
  ) {}

  async probe(action: GrpcAction, target: ProbeTarget, timeoutMs: number, signal: AbortSignal): Promise<ProbeOutcome> {
    const call = { host: targetHost(undefined, target), port: action.port, service: action.service ?? '' };
    const address = joinHostPort(call.host, call.port);
    return this.guard.run(timeoutMs, signal, async (time) =>
      judge(await this.dial(call, time, signal), address, timeoutMs),
    );
  }

  // As upstream's blocking dial: retry a port that does not answer until the time is over.
  private async dial(
    call: Parameters<typeof healthCall>[0],
    time: AttemptTime,
    signal: AbortSignal,
  ): Promise<HealthCall> {
    const pause = new GrowingPause({ firstMs: firstPauseMs, factor: pauseFactor });
    for (;;) {
      const result = await healthCall(call, time, signal, this.clock);
      if (result.kind !== 'not-connected') return result;
      if (!(await passes(pause.next(), time, this.clock, signal))) return { kind: 'timeout', connected: false };
    }
  }
}

/** Waits for the pause. False when the time is over before. */
function passes(pauseMs: number, time: AttemptTime, clock: Clock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (passed: boolean): void => {
      time.pause();
      timer.cancel();
      signal.removeEventListener('abort', over);
      resolve(passed);
    };
    const over = (): void => settle(false);
    const timer = clock.setTimer(pauseMs, () => settle(true));
    if (signal.aborted) return over();
    signal.addEventListener('abort', over, { once: true });
    time.start(over);
  });
}

function judge(call: HealthCall, address: string, timeoutMs: number): ProbeOutcome {
  const failure = (output: string): ProbeOutcome => ({ result: 'failure', output });
  const limit = formatGoDuration(timeoutMs);
  switch (call.kind) {
    case 'answer':
      if (call.serving === 'SERVING') return { result: 'success', output: 'service healthy' };
      return failure(`service unhealthy (responded with ${JSON.stringify(call.serving)})`);
    case 'timeout':
      if (call.connected) return failure(`timeout: health rpc did not complete within ${limit}`);
      return failure(
        `timeout: failed to connect service ${JSON.stringify(address)} within ${limit}: context deadline exceeded`,
      );
    case 'not-connected':
      return failure(`error: failed to connect service at ${JSON.stringify(address)}`);
    case 'status':
      return failure(describeStatus(call.status, limit));
  }
}

function describeStatus({ code, message }: { readonly code: string; readonly message: string }, limit: string): string {
  if (code === 'Unimplemented') {
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${message}`;
  }
  if (code === 'DeadlineExceeded') return `timeout: health rpc did not complete within ${limit}`;
  return `error: health rpc probe failed: rpc error: code = ${code} desc = ${message}`;
}
