import { afterEach, describe, expect, it } from '@podwright/contract';
import type { NodeShutdownManager } from '../node-shutdown.js';

/** One fresh manager, not started, on a node with two pods, and the means to announce a shutdown. */
export interface NodeShutdownHarness {
  readonly manager: NodeShutdownManager;
  /** Announces a shutdown (true) or its cancellation (false). Resolves when the manager has handled it. */
  announce(shuttingDown: boolean): Promise<void>;
  /** Names of the pods that have ended so far. */
  endedPods(): readonly string[];
  /** Why the manager rejects a new pod now; undefined when it admits it. */
  refusal(): Promise<{ readonly reason: string; readonly message: string } | undefined>;
  /** Releases the harness's resources. */
  close(): Promise<void>;
}

/** Every implementation of {@link NodeShutdownManager} passes this suite; `create` gives a new instance per case. */
export function describeNodeShutdownContract(name: string, create: () => Promise<NodeShutdownHarness>): void {
  describe(`${name} as a NodeShutdownManager`, () => {
    let harness: NodeShutdownHarness | undefined;
    const fresh = async (): Promise<NodeShutdownHarness> => (harness = await create());

    afterEach(async () => {
      try {
        await harness?.manager.stop();
      } finally {
        await harness?.close();
        harness = undefined;
      }
    });

    it('can be stopped before it was started, and twice', async () => {
      const { manager } = await fresh();
      await manager.stop();
      await manager.stop();
      expect(manager.isShuttingDown()).toBe(false);
    });

    it('lets pods in and ends none as long as nothing is announced', async () => {
      const { manager, refusal, endedPods } = await fresh();
      await manager.start();
      expect(manager.isShuttingDown()).toBe(false);
      expect(manager.shutdownError()).toBeUndefined();
      expect(await refusal()).toBeUndefined();
      expect(endedPods()).toEqual([]);
    });

    it('ends all pods, refuses new ones and says so when the machine goes down', async () => {
      const { manager, announce, refusal, endedPods } = await fresh();
      const told: boolean[] = [];
      manager.watch((shuttingDown) => told.push(shuttingDown));
      await manager.start();
      await announce(true);
      expect(manager.isShuttingDown()).toBe(true);
      expect(manager.shutdownError()).toBe('node is shutting down');
      expect(await refusal()).toEqual({
        reason: 'NodeShutdown',
        message: 'Pod was rejected as the node is shutting down.',
      });
      expect([...endedPods()].sort()).toEqual(['one', 'two']);
      expect(told).toEqual([true]);
    });

    it('lets pods in again when the shutdown is taken back', async () => {
      const { manager, announce, refusal } = await fresh();
      const told: boolean[] = [];
      const unwatch = manager.watch((shuttingDown) => told.push(shuttingDown));
      await manager.start();
      await announce(true);
      await announce(false);
      expect(manager.isShuttingDown()).toBe(false);
      expect(await refusal()).toBeUndefined();
      unwatch();
      await announce(true);
      expect(told).toEqual([true, false]);
    });

    it('refuses nothing more after stop()', async () => {
      const { manager, announce, refusal } = await fresh();
      await manager.start();
      await announce(true);
      await manager.stop();
      expect(await refusal()).toBeUndefined();
    });

    it('leaves pods alone on SIGTERM by default', async () => {
      const { manager, endedPods } = await fresh();
      await manager.start();
      await manager.handleTermination();
      expect(endedPods()).toEqual([]);
    });
  });
}
