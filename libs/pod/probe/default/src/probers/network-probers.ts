import type { RuntimeService } from '@podwright/cri-client-interface';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Probers } from '@podwright/probe-interface';
import type { Clock } from '@podwright/time';
import { ExecProber } from './exec-prober.js';
import { GrpcProber } from './grpc-prober.js';
import { HttpProber } from './http-prober.js';
import { StallGuard } from './stall-guard.js';
import { TcpProber } from './tcp-prober.js';

export interface ProbersDeps {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly clock: Clock;
  readonly metrics: Pick<MetricsRegistry, 'counter'>;
}

/** The probers of a real node: sockets from this process, commands through the runtime. */
export function createProbers({ runtime, clock, metrics }: ProbersDeps): Probers {
  const guard = new StallGuard(clock, metrics);
  return {
    exec: new ExecProber(runtime),
    httpGet: new HttpProber(guard, clock),
    tcpSocket: new TcpProber(guard),
    grpc: new GrpcProber(guard, clock),
  };
}
