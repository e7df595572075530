import { freePort } from '@podwright/lab';
import { ClusterNode, type ClusterBed } from '../acceptance/cluster-node.js';
import { MemoryClusterServer, type ClusterServer } from '../acceptance/cluster-server.js';
import { ThrowAwayBed } from '../acceptance/throw-away-bed.js';
import { pidsLimit } from './cases/process-cases.js';
import { providerFlags } from './cases/provider-cases.js';
import { AttackTarget, callers } from './attack-target.js';
import type { LyingRuntime } from './lying-runtime.js';

export interface AttackBedOptions {
  /** The kubelet's program. */
  readonly file: string;
  /** False: a kubelet of somebody else, which gets upstream's flags alone. */
  readonly ours: boolean;
  /** True: the kubelet asks nobody for credentials, so that cases about them must report harm. */
  readonly weakened: boolean;
  readonly say: (line: string) => void;
}

export const openAttackBed = ({ file, say }: AttackBedOptions): Promise<ThrowAwayBed<ClusterServer>> =>
  ThrowAwayBed.open({ name: 'attacks', file, say, server: () => MemoryClusterServer.start(callers) });

export interface TargetOptions extends Pick<AttackBedOptions, 'ours' | 'weakened'> {
  /** Must know {@link callers}. */
  readonly server: ClusterServer;
  /** What the kubelet gets as its runtime. */
  readonly runtime: LyingRuntime;
}

/** Starts the kubelet and waits until its node is Ready. */
export async function startTarget(
  bed: ClusterBed,
  { server, runtime, ours, weakened }: TargetOptions,
): Promise<AttackTarget> {
  const healthz = await freePort();
  const open = {
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
  };
  const member = await ClusterNode.start(bed, server, 'attacked', {
    foreign: !ours,
    // Everything is logged that can be, for the case that looks for secrets there.
    flags: ['-v', '10', ...(await providerFlags(bed.lab))],
    configuration: {
      healthzPort: healthz,
      containerRuntimeEndpoint: runtime.endpoint,
      podPidsLimit: pidsLimit,
      ...(!weakened && { readOnlyPort: 0 }),
      featureGates: { NodeLogQuery: true },
      enableSystemLogQuery: true,
      evictionPressureTransitionPeriod: '5s',
      syncFrequency: '5s',
      ...(weakened && open),
    },
  });
  await member.ready({ withinMs: 60_000 });
  return AttackTarget.create(member, { ours, healthz, runtime });
}
