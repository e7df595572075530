import { describe, expect, it } from '@podwright/contract';
import type { Lease } from '@podwright/kube-types';
import type { NodeLease } from '../node-lease.js';

/** One fresh instance, not started. The API server has the Node, but no Lease of it. */
export interface NodeLeaseHarness {
  readonly nodeLease: NodeLease;
  readonly nodeName: string;
  readonly nodeUid: string;
  readonly leaseDurationSeconds: number;
  /** The server's Lease in `kube-node-lease`. */
  lease(): Promise<Lease | undefined>;
  deleteLease(): Promise<void>;
  /** false: calls fail as when the server cannot be reached. */
  setReachable(reachable: boolean): void;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

/** Every implementation of {@link NodeLease} passes this suite; `create` gives a new instance per case. */
export function describeNodeLeaseContract(name: string, create: () => Promise<NodeLeaseHarness>): void {
  describe(`${name} as a NodeLease`, () => {
    const renewTime = async ({ lease }: NodeLeaseHarness): Promise<number> =>
      Date.parse(String((await lease())?.spec?.renewTime));

    it('can be stopped before it was started, and twice', async () => {
      const { nodeLease } = await create();
      await nodeLease.stop();
      await nodeLease.stop();
      expect(() => nodeLease.healthy()).not.toThrow();
    });

    it('creates a lease that the node holds and that goes with its Node', async () => {
      const harness = await create();
      const { nodeLease, nodeName, nodeUid, leaseDurationSeconds } = harness;
      expect(nodeLease.lastRenewedAtMs()).toBeUndefined();
      await nodeLease.start();
      await harness.advance(1_000);
      expect(await harness.lease()).toMatchObject({
        metadata: {
          name: nodeName,
          namespace: 'kube-node-lease',
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeUid }],
        },
        spec: { holderIdentity: nodeName, leaseDurationSeconds },
      });
      expect(nodeLease.lastRenewedAtMs()).toBe(await renewTime(harness));
      expect(nodeLease.healthy()).toEqual({ ok: true });
      await nodeLease.stop();
    });

    it('renews it several times while it lasts', async () => {
      const harness = await create();
      await harness.nodeLease.start();
      await harness.advance(1_000);
      const durationMs = harness.leaseDurationSeconds * 1_000;
      let before = await renewTime(harness);
      for (let third = 0; third < 3; third++) {
        await harness.advance(durationMs / 3);
        const now = await renewTime(harness);
        expect(now).toBeGreaterThan(before);
        before = now;
      }
      await harness.nodeLease.stop();
      await harness.advance(durationMs);
      expect(await renewTime(harness)).toBe(before);
    });

    it('starts without an API server, says so once the lease has run out, and goes on when the server is back', async () => {
      const harness = await create();
      const { nodeLease } = harness;
      harness.setReachable(false);
      await nodeLease.start();
      await harness.advance(2_000 * harness.leaseDurationSeconds);
      expect(nodeLease.lastRenewedAtMs()).toBeUndefined();
      expect(nodeLease.healthy().ok).toBe(false);
      harness.setReachable(true);
      await harness.advance(1_000 * harness.leaseDurationSeconds);
      expect(await harness.lease()).toBeDefined();
      expect(nodeLease.healthy().ok).toBe(true);
      await nodeLease.stop();
    });

    it('makes a lease that was deleted again', async () => {
      const harness = await create();
      await harness.nodeLease.start();
      await harness.advance(1_000);
      await harness.deleteLease();
      await harness.advance(1_000 * harness.leaseDurationSeconds);
      expect(await harness.lease()).toBeDefined();
      await harness.nodeLease.stop();
    });
  });
}
