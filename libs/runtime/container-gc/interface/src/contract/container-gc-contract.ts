import { describe, expect, it } from '@podwright/contract';
import type { ContainerGc } from '../container-gc.js';

/** One fresh collector, not started, with the default options, on an empty node. */
export interface ContainerGcHarness {
  readonly gc: ContainerGc;
  /** Adds a container, younger than all before, to the pod's sandbox, created when missing. Resolves with the id. */
  add(podUid: string, name: string, state: 'running' | 'exited'): Promise<string>;
  /** Ids of the containers that the node has, running or not. */
  containers(): readonly string[];
  /** UIDs of the pods that have a sandbox, ready or not. */
  sandboxes(): readonly string[];
  /** Allows to remove the pod's content; its sandbox becomes not ready, unless a container runs in it. */
  removePod(podUid: string): Promise<void>;
  /** From now on removals of the container reject with a message that names its id, or never settle. */
  obstruct(containerId: string, how: 'fails' | 'hangs'): void;
  /** Advances the virtual clock and lets pending work proceed. */
  pass(ms: number): Promise<void>;
  /** Timers that still run; must be 0 after stop. */
  pendingTimers(): number;
}

const minuteMs = 60_000;

/** Every implementation of {@link ContainerGc} passes this suite; `create` gives a new instance per case. */
export function describeContainerGcContract(name: string, create: () => Promise<ContainerGcHarness>): void {
  describe(`${name} as a ContainerGc`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { gc, pendingTimers } = await create();
      await gc.stop();
      await Promise.all([gc.stop(), gc.stop()]);
      expect(pendingTimers()).toBe(0);
    });

    describe('a pass', () => {
      it('takes the dead containers and the sandbox of a removed pod, and nothing of the others', async () => {
        const { gc, add, removePod, containers, sandboxes } = await create();
        await add('gone', 'a', 'exited');
        await add('gone', 'b', 'exited');
        const kept = await add('here', 'a', 'exited');
        await removePod('gone');
        await gc.garbageCollect();
        expect(containers()).toEqual([kept]);
        expect(sandboxes()).toEqual(['here']);
        await gc.stop();
      });

      it('touches nothing that runs, not even of a removed pod', async () => {
        const { gc, add, removePod, containers, sandboxes } = await create();
        const running = [await add('gone', 'a', 'running'), await add('here', 'a', 'running')];
        await removePod('gone');
        await gc.garbageCollect();
        expect(containers()).toEqual(running);
        expect(sandboxes()).toEqual(['gone', 'here']);
        await gc.stop();
      });

      it('keeps the last dead record of each container of a pod that is wanted', async () => {
        const { gc, add, containers } = await create();
        await add('p', 'a', 'exited');
        await add('p', 'a', 'exited');
        const last = [await add('p', 'a', 'exited'), await add('p', 'b', 'exited')];
        await gc.garbageCollect();
        expect(containers()).toEqual(last);
        await gc.stop();
      });

      it('rejects with all failures, having removed the rest', async () => {
        const { gc, add, removePod, containers, obstruct } = await create();
        const stuck = [await add('p', 'a', 'exited'), await add('q', 'b', 'exited')];
        await add('p', 'c', 'exited');
        await removePod('p');
        await removePod('q');
        for (const id of stuck) obstruct(id, 'fails');
        const error = await gc.garbageCollect().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        for (const id of stuck) expect(String(error)).toContain(id);
        expect(containers()).toEqual(stuck);
        await gc.stop();
      });

      it('comes every minute once started, whatever became of the last one, and not after stop', async () => {
        const { gc, add, removePod, containers, obstruct, pass, pendingTimers } = await create();
        await gc.start();
        await pass(0);
        const stuck = await add('p', 'a', 'exited');
        obstruct(stuck, 'fails');
        await add('p', 'b', 'exited');
        await removePod('p');
        await pass(minuteMs);
        expect(containers()).toEqual([stuck]);
        await add('q', 'a', 'exited');
        await removePod('q');
        await pass(minuteMs);
        expect(containers()).toEqual([stuck]);
        await gc.stop();
        expect(pendingTimers()).toBe(0);
        const later = await add('r', 'a', 'exited');
        await removePod('r');
        await pass(2 * minuteMs);
        expect(containers()).toEqual([stuck, later]);
      });
    });

    describe('deleteDeadContainers', () => {
      const setUp = async (): Promise<{ harness: ContainerGcHarness; a: string[]; b: string[]; running: string }> => {
        const harness = await create();
        const { add } = harness;
        await harness.gc.start();
        // The pass at the start would remove the same containers.
        await harness.pass(0);
        const a = [await add('p', 'a', 'exited'), await add('p', 'a', 'exited'), await add('p', 'a', 'exited')];
        const b = [await add('p', 'b', 'exited'), await add('p', 'b', 'exited')];
        const running = await add('p', 'c', 'running');
        return { harness, a, b, running };
      };
      const stop = async ({ gc, pendingTimers }: ContainerGcHarness): Promise<void> => {
        await gc.stop();
        expect(pendingTimers()).toBe(0);
      };

      it('keeps the newest record of the container that died, and all of the others', async () => {
        const { harness, a, b, running } = await setUp();
        harness.gc.deleteDeadContainers('p', { exitedContainerId: a[2] ?? '' });
        await harness.pass(10);
        expect(harness.containers()).toEqual([a[2], ...b, running]);
        await stop(harness);
      });

      it('takes all that is dead when told to', async () => {
        const { harness, running } = await setUp();
        harness.gc.deleteDeadContainers('p', { all: true });
        await harness.pass(10);
        expect(harness.containers()).toEqual([running]);
        await stop(harness);
      });

      it('takes all that is dead when the content of the pod may go', async () => {
        const { harness, b, running } = await setUp();
        await harness.removePod('p');
        harness.gc.deleteDeadContainers('p', { exitedContainerId: b[1] ?? '' });
        await harness.pass(10);
        expect(harness.containers()).toEqual([running]);
        await stop(harness);
      });

      it('takes any pod, any number of calls, and calls before the start and after the stop', async () => {
        const harness = await create();
        const { gc } = harness;
        const died = await harness.add('p', 'a', 'exited');
        const tell = (): void => {
          expect(gc.deleteDeadContainers('nobody', { all: true })).toBeUndefined();
          expect(gc.deleteDeadContainers('p', { exitedContainerId: 'unknown' })).toBeUndefined();
        };
        tell();
        await gc.start();
        for (let count = 0; count < 1000; count++) tell();
        await harness.pass(10);
        await stop(harness);
        tell();
        expect(harness.containers()).toEqual([died]);
      });

      it('does not block its caller, nor stop, when a removal hangs', async () => {
        const { harness, a } = await setUp();
        for (const id of a) harness.obstruct(id, 'hangs');
        harness.gc.deleteDeadContainers('p', { all: true });
        await harness.pass(10);
        await harness.gc.stop();
        expect(harness.containers()).toEqual(expect.arrayContaining(a));
      });
    });
  });
}
