import { describe, expect, it } from '@podwright/contract';
import type { LocalObjects } from '../local-objects.js';

/** One fresh instance, started and empty, and the means to end its process. */
export interface LocalObjectsHarness {
  readonly localObjects: LocalObjects;
  /** Acts like kill -9: abandons the last instance and starts another one on what that has written. */
  kill(): Promise<LocalObjects>;
}

/** Every implementation of {@link LocalObjects} passes this suite; `create` gives a new instance per case. */
export function describeLocalObjectsContract(name: string, create: () => Promise<LocalObjectsHarness>): void {
  describe(`${name} as a LocalObjects`, () => {
    it('has nothing at first', async () => {
      const { localObjects } = await create();
      expect(localObjects.get('Pod', 'default', 'web')).toBeUndefined();
      expect(localObjects.list('Pod').items).toEqual([]);
      await localObjects.stop();
    });
  });
}
