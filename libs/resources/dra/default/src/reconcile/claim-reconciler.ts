import {
  CLOCK,
  defineConfig,
  durationMsField,
  needs,
  optional,
  pick,
  type Lifecycle,
  type Needs,
} from '@podwright/assembly-interface';
import { DRA_MANAGER } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import { podUid } from '@podwright/kube-types';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS, POD_LIFECYCLE } from '@podwright/pod-workers-interface';

export interface ClaimReconcilerConfig {
  /** How often the claims of pods that are gone are unprepared. */
  readonly reconcilePeriodMs: number;
}

export const claimReconcilerConfigSchema = defineConfig<ClaimReconcilerConfig>({
  reconcilePeriodMs: durationMsField(60_000),
});

export const claimReconcilerNeeds = needs({
  manager: pick(DRA_MANAGER, 'unprepareOthers'),
  activePods: ACTIVE_PODS,
  /** Without it, the claims of a pod that is not active are unprepared, though its containers may still run. */
  lifecycle: optional(pick(POD_LIFECYCLE, 'couldHaveRunningContainers')),
  podConfig: pick(POD_CONFIG, 'allSourcesReady'),
  clock: CLOCK,
});

const pollMs = 1_000;

/**
 * Unprepares the claims of pods that ended without a kubelet. It is apart from the manager, because who knows the active
 * pods needs the pods' statuses, and these need the manager. Source: kubernetes v1.36 pkg/kubelet/cm/dra/manager.go
 * reconcileLoop.
 */
export class ClaimReconciler implements Lifecycle {
  private readonly stopping = new AbortController();
  private rounds: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: Needs<typeof claimReconcilerNeeds>,
    private readonly config: ClaimReconcilerConfig,
  ) {}

  async start(): Promise<void> {
    this.rounds = this.run(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the DRA manager is stopping', { code: 'cancelled' }));
    await this.rounds;
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isDone = await this.reconcile(signal);
      // It rejects only with the signal.
      await this.deps.clock.sleep(isDone ? this.config.reconcilePeriodMs : pollMs, signal).catch(() => undefined);
    }
  }

  /** Resolves with false when there is something to wait for. */
  private async reconcile(signal: AbortSignal): Promise<boolean> {
    const { manager, activePods, lifecycle, podConfig } = this.deps;
    // Before, a pod that is missing may just not be known yet.
    if (!podConfig.allSourcesReady()) return false;
    const active = new Set(activePods.list().map(podUid));
    let isDone = true;
    const has = (uid: string): boolean => {
      if (active.has(uid)) return true;
      const isEnding = lifecycle?.couldHaveRunningContainers(uid) === true;
      if (isEnding) isDone = false;
      return isEnding;
    };
    await manager.unprepareOthers({ has }, signal);
    return isDone;
  }
}
