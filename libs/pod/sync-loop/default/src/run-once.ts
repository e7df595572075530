import { KubeletError } from '@podwright/errors';
import { podUid, type Pod } from '@podwright/kube-types';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { RunOnceResult } from '@podwright/sync-loop-interface';
import type { Clock } from '@podwright/time';

export interface WaitForPodsDeps {
  readonly pods: PodManager;
  readonly statuses: StatusManager;
  readonly podConfig: PodConfig;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const settled: ReadonlySet<string | undefined> = new Set(['Running', 'Succeeded', 'Failed']);
// Short compared with any start of a container.
const lookPeriodMs = 100;

/** Resolves when every pod of every source runs or has ended, or when the time is over. */
export async function waitForPods({
  pods,
  statuses,
  podConfig,
  clock,
  timeoutMs,
  signal,
}: WaitForPodsDeps): Promise<readonly RunOnceResult[]> {
  const deadline = clock.monotonic() + timeoutMs;
  const phaseOf = (pod: Pod): string | undefined => statuses.getPodStatus(podUid(pod))?.phase;
  const done = (): boolean => podConfig.allSourcesReady() && pods.getPods().every((pod) => settled.has(phaseOf(pod)));
  while (!done() && clock.monotonic() < deadline) await clock.sleep(lookPeriodMs, signal);
  if (!podConfig.allSourcesReady()) {
    const message =
      'no answer from all pod sources within the time limit; check the manifest directory and the manifest URL';
    throw new KubeletError(message, { code: 'deadline-exceeded' });
  }
  return pods.getPods().map((pod) => {
    const phase = phaseOf(pod);
    if (phase === 'Running' || phase === 'Succeeded') return { pod };
    const status = statuses.getPodStatus(podUid(pod));
    const waiting = (status?.containerStatuses ?? []).flatMap(({ name, state }) =>
      state?.waiting === undefined
        ? []
        : [`${name}: ${state.waiting.reason ?? 'waiting'} ${state.waiting.message ?? ''}`.trim()],
    );
    return { pod, error: [`phase ${phase ?? 'unknown'}`, status?.message, ...waiting].filter(Boolean).join('; ') };
  });
}
