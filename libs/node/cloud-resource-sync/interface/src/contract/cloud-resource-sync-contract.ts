import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { Node } from '@podwright/kube-types';
import type { CloudResourceSync } from '../cloud-resource-sync.js';

/** One fresh instance, not started. Its node belongs to an external cloud provider and is not registered yet. */
export interface CloudResourceSyncHarness {
  readonly cloudResourceSync: CloudResourceSync;
  /** Sets the Node that the API server shows from now on. */
  setNode(node: Node): void;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

/** Every implementation of {@link CloudResourceSync} passes this suite; `create` gives a new instance per case. */
export function describeCloudResourceSyncContract(name: string, create: () => Promise<CloudResourceSyncHarness>): void {
  describe(`${name} as a CloudResourceSync`, () => {
    const taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };
    const hostname = { type: 'Hostname', address: 'n1' };
    const registered: Node = { metadata: { name: 'n1' }, spec: { taints: [taint] }, status: { addresses: [hostname] } };
    const addresses = [{ type: 'InternalIP', address: '192.0.2.1' }, hostname];
    const initialized: Node = { metadata: { name: 'n1' }, spec: { providerID: 'cloud://1' }, status: { addresses } };
    const never = new AbortController().signal;

    it('can be stopped before it was started, and twice', async () => {
      const { cloudResourceSync } = await create();
      await cloudResourceSync.stop();
      await cloudResourceSync.stop();
      expect(cloudResourceSync.initialized()).toBe(false);
    });

    it('waits for the addresses of the provider, and then has them at once', async () => {
      const { cloudResourceSync, setNode, advance } = await create();
      await cloudResourceSync.start();
      let found: unknown;
      void cloudResourceSync.nodeAddresses(never).then((given) => (found = given));
      await advance(1_000);
      setNode(registered);
      await advance(1_000);
      expect([found, cloudResourceSync.initialized()]).toEqual([undefined, false]);
      setNode(initialized);
      await advance(0);
      expect([found, cloudResourceSync.initialized()]).toEqual([addresses, true]);
      expect(await cloudResourceSync.nodeAddresses(never)).toEqual(addresses);
      await cloudResourceSync.stop();
    });

    it('gives up in the end, says what to look at, and can be asked again', async () => {
      const { cloudResourceSync, setNode, advance } = await create();
      await cloudResourceSync.start();
      setNode(registered);
      const given = cloudResourceSync.nodeAddresses(never).catch((error: unknown) => error);
      await advance(600_000);
      const error = await given;
      expect(hasCode(error, 'unavailable')).toBe(true);
      expect(String(error)).toContain('cloud controller manager');
      setNode(initialized);
      expect(await cloudResourceSync.nodeAddresses(never)).toEqual(addresses);
      await cloudResourceSync.stop();
    });

    it('ends the wait with the signal, and with its own stop', async () => {
      const { cloudResourceSync } = await create();
      await cloudResourceSync.start();
      await expect(cloudResourceSync.nodeAddresses(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
      const waiting = cloudResourceSync.nodeAddresses(never).catch((error: unknown) => error);
      await cloudResourceSync.stop();
      expect(await waiting).toBeInstanceOf(Error);
    });
  });
}
