import { describe, expect, it } from '@podwright/contract';
import type { Node } from '@podwright/kube-types';
import type { RegisteredNode } from '../registered-node.js';

/** One fresh instance, not started. The API server has no Node of its name. */
export interface RegisteredNodeHarness {
  readonly registered: RegisteredNode;
  readonly nodeName: string;
  /** Resolves with the Node's UID once the API server has it. */
  createNode(): Promise<string>;
  /** Sets a label of the Node. */
  labelNode(name: string, value: string): Promise<void>;
  deleteNode(): Promise<void>;
  /** false: calls fail as when the server cannot be reached. */
  setReachable(reachable: boolean): void;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

/** Every implementation of {@link RegisteredNode} passes this suite; `create` gives a new instance per case. */
export function describeRegisteredNodeContract(name: string, create: () => Promise<RegisteredNodeHarness>): void {
  describe(`${name} as a RegisteredNode`, () => {
    it('knows nothing before it has asked, then that there is none', async () => {
      const { registered, advance } = await create();
      expect([registered.hasSynced(), registered.current()]).toEqual([false, undefined]);
      await registered.start();
      await advance(1_000);
      expect([registered.hasSynced(), registered.current()]).toEqual([true, undefined]);
      await registered.synced(new AbortController().signal);
      await registered.stop();
    });

    it('shows the Node that comes, changes, goes and comes again', async () => {
      const { registered, createNode, labelNode, deleteNode, advance } = await create();
      const seen: (Node | undefined)[] = [];
      await registered.start();
      await advance(1_000);
      registered.watch((node) => seen.push(node));
      const first = await createNode();
      await advance(1_000);
      expect(registered.current()?.metadata?.uid).toBe(first);
      await labelNode('zone', 'a');
      await advance(1_000);
      expect(registered.current()?.metadata?.labels).toMatchObject({ zone: 'a' });
      await deleteNode();
      await advance(1_000);
      expect(registered.current()).toBeUndefined();
      const second = await createNode();
      await advance(1_000);
      expect(registered.current()?.metadata?.uid).toBe(second);
      expect(seen.map((node) => node?.metadata?.uid)).toEqual([first, first, undefined, second]);
      await registered.stop();
    });

    it('tells no more to who does not listen any more', async () => {
      const { registered, createNode, advance } = await create();
      let told = 0;
      await registered.start();
      const unsubscribe = registered.watch(() => told++);
      unsubscribe();
      await createNode();
      await advance(1_000);
      expect(told).toBe(0);
      await registered.stop();
    });

    it('starts without an API server and keeps what it knew while the server is away', async () => {
      const { registered, createNode, setReachable, advance } = await create();
      const uid = await createNode();
      setReachable(false);
      await registered.start();
      await advance(30_000);
      expect(registered.hasSynced()).toBe(false);
      await expect(registered.synced(AbortSignal.abort(new Error('enough')))).rejects.toThrow();
      setReachable(true);
      await advance(120_000);
      expect(registered.current()?.metadata?.uid).toBe(uid);
      setReachable(false);
      await advance(120_000);
      expect([registered.hasSynced(), registered.current()?.metadata?.uid]).toEqual([true, uid]);
      await registered.stop();
      await registered.stop();
    });
  });
}
