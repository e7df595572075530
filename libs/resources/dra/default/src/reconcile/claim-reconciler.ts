import {
  CLOCK,
  defineConfig,
  durationMsField,
  needs,
  pick,
  type Lifecycle,
  type Needs,
} from '@podwright/assembly-interface';
import { DRA_MANAGER } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import { podUid } from '@podwright/kube-types';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';

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
  podConfig: pick(POD_CONFIG, 'allSourcesReady'),
  clock: CLOCK,
});

const sourcesPollMs = 1_000;

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
    const { manager, activePods, podConfig, clock } = this.deps;
    // Before, a pod that is missing may just not be known yet.
    while (!podConfig.allSourcesReady()) {
      await clock.sleep(sourcesPollMs, signal).catch(() => undefined); // it rejects only with the signal
      if (signal.aborted) return;
    }
    const reconcile = (): Promise<void> => manager.unprepareOthers(new Set(activePods.list().map(podUid)), signal);
    await clock.every(this.config.reconcilePeriodMs, reconcile, signal);
  }
}
