import { CLOCK, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { Probers } from '@podwright/probe-interface';
import { ExecProber } from './exec-prober.js';
import { GrpcProber } from './grpc-prober.js';
import { HttpProber } from './http-prober.js';
import { StallGuard } from './stall-guard.js';
import { TcpProber } from './tcp-prober.js';

export const probersNeeds = needs({
  runtime: pick(RUNTIME_SERVICE, 'execSync'),
  clock: CLOCK,
  metrics: pick(METRICS, 'counter'),
});
export type ProbersNeeds = Needs<typeof probersNeeds>;

/** The probers of a real node: sockets of this process, commands through the runtime. */
export function createProbers({ runtime, clock, metrics }: ProbersNeeds): Probers {
  const guard = new StallGuard(clock, metrics);
  return {
    exec: new ExecProber(runtime),
    httpGet: new HttpProber(guard, clock),
    tcpSocket: new TcpProber(guard),
    grpc: new GrpcProber(guard, clock),
  };
}
