import { describe, expect, it } from '@jest/globals';
import type { AdmissionHandler, AdmissionHandlers, AdmissionStage } from '../admission-handlers.js';

const passes = (): AdmissionHandler => async () => undefined;

/** What every registry of admission handlers does alike. `create` gives a new one per case. */
export function describeAdmissionHandlersContract(name: string, create: () => AdmissionHandlers): void {
  describe(`${name} as AdmissionHandlers`, () => {
    it.each<AdmissionStage>(['resize', 'eviction', 'topology', 'node-shutdown'])(
      'keeps the handlers of the stage %s in their order',
      (stage) => {
        const handlers = create();
        expect(handlers.of(stage)).toEqual([]);
        const [first, second] = [passes(), passes()];
        handlers.add(stage, first);
        handlers.add(stage, second);
        expect(handlers.of(stage)).toEqual([first, second]);
      },
    );

    it('forgets one handler, also twice, and no other', () => {
      const handlers = create();
      const same = passes();
      const remove = handlers.add('eviction', same);
      handlers.add('eviction', same);
      handlers.add('resize', same);
      remove();
      remove();
      expect(handlers.of('eviction')).toEqual([same]);
      expect(handlers.of('resize')).toEqual([same]);
    });

    it('gives lists that do not change behind the back of whoever asked', () => {
      const handlers = create();
      const before = handlers.of('topology');
      handlers.add('topology', passes());
      expect(before).toEqual([]);
    });
  });
}
