import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { AdmissionCheck } from '../admission-checks.js';

export interface AdmissionCheckHarness {
  readonly check: AdmissionCheck;
  /** A pod that the check admits; `refused` is one that it rejects. */
  readonly passes: Pod;
  readonly refused: Pod;
}

/** Every {@link AdmissionCheck} passes this suite. */
export function describeAdmissionCheckContract(title: string, create: () => AdmissionCheckHarness): void {
  describe(`${title} as an AdmissionCheck`, () => {
    const stages: readonly string[] = [
      'eviction',
      'topology',
      'node-shutdown',
      'last',
    ] satisfies readonly AdmissionCheck['stage'][];

    it('has its place among the checks of admission', () => {
      expect(stages).toContain(create().check.stage);
    });

    it('lets a pod pass without a word', async () => {
      const { check, passes } = create();
      expect(await check.check(passes, [], 'add')).toBeUndefined();
    });

    it('refuses a pod with a reason for machines and a message for people', async () => {
      const { check, refused } = create();
      const refusal = await check.check(refused, [], 'add');
      expect(refusal?.admit).toBe(false);
      expect(refusal?.reason).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(refusal?.message.trim()).not.toBe('');
    });

    it('leaves pods as they are, and says the same when asked again', async () => {
      const { check, passes, refused } = create();
      const before = structuredClone([passes, refused]);
      const first = [await check.check(passes, [refused], 'add'), await check.check(refused, [passes], 'add')];
      const second = [await check.check(passes, [refused], 'add'), await check.check(refused, [passes], 'add')];
      expect(second).toEqual(first);
      expect([passes, refused]).toEqual(before);
    });
  });
}
