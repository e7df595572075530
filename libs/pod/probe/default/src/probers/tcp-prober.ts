import { containerPort, goDialTimeout } from '@podwright/http-action';
import type { Probe } from '@podwright/kube-types';
import type { Prober, ProbeOutcome, ProbeTarget } from '@podwright/probe-interface';
import { onAbort } from '@podwright/time';
import type { AttemptTime } from './attempt-time.js';
import { ProbeConnection } from './probe-connection.js';
import type { StallGuard } from './stall-guard.js';
import { targetHost } from './target-host.js';

type TcpSocketAction = NonNullable<Probe['tcpSocket']>;

/** Succeeds when a port accepts connections. Source: kubernetes v1.36 pkg/probe/tcp/tcp.go. */
export class TcpProber implements Prober<TcpSocketAction> {
  constructor(private readonly guard: StallGuard) {}

  async probe(
    action: TcpSocketAction,
    target: ProbeTarget,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ProbeOutcome> {
    const port = containerPort(action.port, target.container);
    const host = targetHost(action.host, target);
    return this.guard.run(timeoutMs, signal, (time) => connectOnce(host, port, time, signal));
  }
}

function connectOnce(host: string, port: number, time: AttemptTime, signal: AbortSignal): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    const connection = new ProbeConnection(host, port);
    const settle = (outcome: ProbeOutcome): void => {
      unlisten();
      // Nothing was sent, so there is nothing to wait for.
      connection.reset();
      resolve(outcome);
    };
    const unlisten = onAbort(signal, () => settle({ result: 'inconclusive' }));
    connection.socket.once('connect', () => settle({ result: 'success', output: '' }));
    connection.socket.once('error', (error) => settle({ result: 'failure', output: connection.describe(error) }));
    time.start(() => settle({ result: 'failure', output: goDialTimeout(host, port) }));
  });
}
