import type { PodLifecycle } from '../pod-lifecycle.js';
import type { PodWorkQueue } from '../pod-work-queue.js';
import type { PodWorkers } from '../pod-workers.js';
import { gate } from './pod-fixtures.js';
import { createScriptedEnvironment, type ScriptedEnvironment } from './scripted-environment.js';

export interface PodWorkersHarness {
  readonly workers: PodWorkers;
  readonly lifecycle: PodLifecycle;
  readonly queue: PodWorkQueue;
}

/** Started workers of one case, and shorthands to observe them. */
export interface WorkersOfCase extends PodWorkersHarness {
  readonly environment: ScriptedEnvironment;
  /** Runs everything that is due now. */
  settle(): Promise<void>;
  /** Names of the syncer calls for a pod (default `a`), in order. */
  names(uid?: string): string[];
  /** Grace periods of the terminating syncs, in seconds. */
  graces(): (number | undefined)[];
  /** Acts like kill -9: starts new workers on the checkpoints of these. Records the calls of both together. */
  restart(): Promise<PodWorkersHarness>;
}

export type SetUpWorkers = () => Promise<WorkersOfCase>;

/** Creates the workers of each case, and stops them after it. */
export class ContractWorkers {
  private readonly running: (() => Promise<void>)[] = [];

  constructor(private readonly create: (environment: ScriptedEnvironment) => Promise<PodWorkersHarness>) {}

  readonly setUp: SetUpWorkers = async () => {
    const environment = createScriptedEnvironment();
    const harness = await this.startOn(environment);
    const { calls, clock } = environment;
    return {
      ...harness,
      environment,
      settle: () => clock.advance(0),
      names: (uid = 'a') => calls.filter((call) => call.uid === uid).map((call) => call.name),
      graces: () => calls.filter((call) => call.name === 'terminating').map((call) => call.gracePeriodSeconds),
      restart: async () => {
        environment.checkpoints = environment.checkpoints.restarted();
        environment.onCall = async () => ({ terminal: false });
        calls.length = 0;
        return this.startOn(environment);
      },
    };
  };

  async stopAll(): Promise<void> {
    for (const stop of this.running.splice(0)) await stop();
  }

  private async startOn(environment: ScriptedEnvironment): Promise<PodWorkersHarness> {
    const harness = await this.create(environment);
    this.running.push(async () => {
      // A call that never ends delays stop() up to a time limit, so the clock must advance past it.
      await Promise.all([harness.workers.stop(), environment.clock.advance(60_000)]);
    });
    await harness.workers.start();
    return harness;
  }
}

/** Holds the first call named `held` until the gate opens; all others return at once. */
export function holdFirst(
  environment: ScriptedEnvironment,
  held: string,
): ReturnType<typeof gate<{ terminal: boolean }>> {
  const door = gate<{ terminal: boolean }>();
  let first = true;
  environment.onCall = async (call) => {
    if (call.name !== held || !first) return { terminal: false };
    first = false;
    return door.promise;
  };
  return door;
}
