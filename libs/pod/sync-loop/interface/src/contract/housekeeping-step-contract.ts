import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import { housekeepingStages, type HousekeepingPass, type HousekeepingStep } from '../housekeeping-steps.js';

/** The UIDs of the two pods of which the step's manager holds something. */
export const housekeepingPods = { wanted: 'uid-wanted', orphaned: 'uid-orphaned' } as const;

export interface HousekeepingStepHarness {
  readonly step: HousekeepingStep;
  /** The UIDs of {@link housekeepingPods} of which something is left; both before the first pass. */
  left(): readonly string[] | Promise<readonly string[]>;
  /** Lets the work end that the step does not wait for. */
  settle?(): Promise<void>;
}

/** A pass in which `uids` are wanted by everybody. */
export function passOf(uids: readonly string[], more: Partial<HousekeepingPass> = {}): HousekeepingPass {
  const desired = uids.map((uid): Pod => ({
    metadata: { name: uid, namespace: 'default', uid },
    spec: { containers: [] },
  }));
  const fullName = (uid: string): string => `${uid}_default`;
  const worker = (uid: string) =>
    ({
      state: 'sync',
      orphan: false,
      fullName: fullName(uid),
      restartRequested: false,
      hasConfig: true,
      static: false,
    }) as const;
  return {
    desired,
    mirrorPods: [],
    workers: new Map(uids.map((uid) => [uid, worker(uid)])),
    known: new Set(uids),
    wanted: new Set(uids),
    possiblyRunning: new Set(uids),
    searching: true,
    searchAgain: () => undefined,
    ...more,
  };
}

/** Every {@link HousekeepingStep} that removes what pods leave behind passes this suite. */
export function describeHousekeepingStepContract(
  title: string,
  create: () => HousekeepingStepHarness | Promise<HousekeepingStepHarness>,
): void {
  const { wanted, orphaned } = housekeepingPods;

  describe(`${title} as a HousekeepingStep`, () => {
    it('has a stage, and a message for the log when it fails', async () => {
      const { step } = await create();
      expect(housekeepingStages).toContain(step.stage);
      expect(step.failure).toMatch(/^[A-Z]\S+ \S/);
    });

    it('keeps what wanted pods have', async () => {
      const { step, left, settle } = await create();
      await step.clean(passOf([wanted, orphaned]));
      await settle?.();
      expect([...(await left())].sort()).toEqual([orphaned, wanted]);
    });

    it('removes what an orphaned pod has left, and nothing else', async () => {
      const { step, left, settle } = await create();
      await step.clean(passOf([wanted]));
      await settle?.();
      expect(await left()).toEqual([wanted]);
    });

    it('may run again at once, with nothing left to do', async () => {
      const { step, left, settle } = await create();
      await step.clean(passOf([wanted]));
      await step.clean(passOf([wanted]));
      await settle?.();
      expect(await left()).toEqual([wanted]);
    });
  });
}
