import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { RuntimeClasses } from '../runtime-classes.js';

/** One fresh instance, not started, that knows the classes `sandboxed` (handler `runsc`) and `plain` (no handler). */
export interface RuntimeClassesHarness {
  readonly runtimeClasses: RuntimeClasses;
  /** After the start: waits until the instance has received its classes; absent where it knows them at once. */
  readonly known?: () => Promise<void>;
}

/** Every implementation of {@link RuntimeClasses} passes this suite; `create` gives a new instance per case. */
export function describeRuntimeClassesContract(name: string, create: () => Promise<RuntimeClassesHarness>): void {
  describe(`${name} as RuntimeClasses`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { runtimeClasses } = await create();
      await runtimeClasses.stop();
      await runtimeClasses.stop();
    });

    it.each([
      [undefined, ''],
      ['', ''],
      ['sandboxed', 'runsc'],
      ['plain', ''],
    ])('gives for the class %j the handler %j', async (className, handler) => {
      const { runtimeClasses, known } = await create();
      await runtimeClasses.start();
      await known?.();
      expect(runtimeClasses.handlerOf(className)).toBe(handler);
      await runtimeClasses.stop();
    });

    it('has the default handler before it was started, and knows no other', async () => {
      const { runtimeClasses } = await create();
      expect(runtimeClasses.handlerOf(undefined)).toBe('');
      expect(() => runtimeClasses.handlerOf('gvisor')).toThrow('runtimeclass.node.k8s.io "gvisor" not found');
      await runtimeClasses.stop();
    });

    // The last two are names that every JavaScript object has.
    it.each(['gvisor', 'Sandboxed', 'toString', '__proto__'])('does not know the class %s', async (className) => {
      const { runtimeClasses, known } = await create();
      await runtimeClasses.start();
      await known?.();
      let thrown: unknown;
      try {
        runtimeClasses.handlerOf(className);
      } catch (error) {
        thrown = error;
      }
      expect(hasCode(thrown, 'not-found')).toBe(true);
      expect(thrown).toMatchObject({ message: `runtimeclass.node.k8s.io "${className}" not found` });
      await runtimeClasses.stop();
    });
  });
}
