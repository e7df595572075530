import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { Lease } from '@podwright/kube-types';
import type { Informer, InformerChange } from '../informer.js';
import { leases } from '../resource-type.js';
import { failure, type KubeClientHarness } from './kube-client-contract.js';

const lease = (name: string, holderIdentity = 'nobody'): Lease => ({
  metadata: { namespace: 'default', name },
  spec: { holderIdentity },
});

/** Every {@link Informer} of a `KubeClient` passes this suite; `create` gives a new client and server per case. */
export function describeInformerContract(name: string, create: () => Promise<KubeClientHarness>): void {
  const setUp = async (): Promise<KubeClientHarness & { informer: Informer<Lease>; seen: string[] }> => {
    const harness = await create();
    const informer = harness.kubeClient.inform(leases, { namespace: 'default' });
    const seen: string[] = [];
    informer.watch((change) => seen.push(textOf(change)));
    return { ...harness, informer, seen };
  };

  describe(`${name}'s informers`, () => {
    it('know nothing before the start', async () => {
      const { informer, seen } = await setUp();
      expect([informer.hasSynced(), informer.list(), informer.resourceVersion(), seen]).toEqual([false, [], '', []]);
    });

    it('report what there is, one by one, then that they have it all', async () => {
      const { informer, seen, kubeClient, advance } = await setUp();
      for (const each of ['a', 'b']) await kubeClient.create(leases, lease(each));
      informer.start();
      informer.start();
      await advance(0);
      await informer.synced(AbortSignal.abort());
      expect(informer.hasSynced()).toBe(true);
      expect(seen).toEqual(['added a', 'added b', 'replaced']);
      expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
      expect(informer.get('default', 'a')).toMatchObject({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' });
      expect(informer.get('default', 'x')).toBeUndefined();
      expect(informer.resourceVersion()).toMatch(/^\d+$/);
      await informer.stop();
    });

    it('report changes in their order, after the store has them', async () => {
      const { informer, seen, kubeClient, advance } = await setUp();
      informer.start();
      await advance(0);
      const stored: unknown[] = [];
      informer.watch(() => stored.push(informer.get('default', 'a')?.spec?.holderIdentity));
      const created = await kubeClient.create(leases, lease('a', '1'));
      const updated = await kubeClient.update(leases, { ...created, spec: { holderIdentity: '2' } });
      await kubeClient.delete(leases, { namespace: 'default', name: 'a' });
      await advance(0);
      expect(seen).toEqual(['replaced', 'added a', 'updated a 1 -> 2', 'deleted a']);
      expect(stored).toEqual(['1', '2', undefined]);
      const version = Number(informer.resourceVersion());
      expect(version).toBeGreaterThan(Number(updated.metadata?.resourceVersion));
      await informer.stop();
    });

    it('keep to their namespace and selectors', async () => {
      const { kubeClient, advance } = await setUp();
      const informers = [
        kubeClient.inform(leases, { namespace: 'default', fieldSelector: 'metadata.name=a' }),
        kubeClient.inform(leases, { namespace: 'default', labelSelector: 'first=yes' }),
      ];
      for (const each of informers) each.start();
      const labels = { first: 'yes' };
      await kubeClient.create(leases, { metadata: { namespace: 'default', name: 'a', labels } });
      await kubeClient.create(leases, lease('b'));
      await kubeClient.create(leases, { metadata: { namespace: 'kube-system', name: 'a', labels } });
      await advance(0);
      for (const each of informers) {
        expect(each.list().map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)).toEqual(['default/a']);
        await each.stop();
      }
    });

    it('keep what the transform makes, without the managed fields by default', async () => {
      const { informer, kubeClient, advance } = await setUp();
      const slim = kubeClient.inform(leases, { transform: ({ metadata }) => (metadata ? { metadata } : {}) });
      const managedFields = [{ manager: 'contract', operation: 'Update', apiVersion: 'coordination.k8s.io/v1' }];
      const { metadata, ...rest } = lease('a', 'value');
      await kubeClient.create(leases, { ...rest, metadata: { ...metadata, managedFields } });
      for (const each of [informer, slim]) each.start();
      await advance(0);
      expect(informer.list()[0]?.metadata).not.toHaveProperty('managedFields');
      expect(slim.list()[0]).toHaveProperty('metadata');
      expect(slim.list()[0]).not.toHaveProperty('spec');
      await Promise.all([informer.stop(), slim.stop()]);
    });

    it('go on when a listener throws, and leave one that has gone alone', async () => {
      const { informer, seen, kubeClient, advance } = await setUp();
      const gone: string[] = [];
      const leave = informer.watch((change) => gone.push(textOf(change)));
      informer.watch(() => {
        throw new Error('a listener of the contract');
      });
      const after: string[] = [];
      informer.watch((change) => after.push(textOf(change)));
      leave();
      informer.start();
      await kubeClient.create(leases, lease('a'));
      await advance(0);
      expect(seen).toContain('added a');
      expect(after).toEqual(seen);
      expect(gone).toEqual([]);
      await informer.stop();
    });

    it('stay fresh over the hours', async () => {
      const { informer, seen, kubeClient, advance } = await setUp();
      informer.start();
      await advance(3 * 60 * 60_000);
      await kubeClient.create(leases, lease('a'));
      await advance(0);
      expect(seen).toEqual(['replaced', 'added a']);
      await informer.stop();
    });

    it('leave nothing behind their stop but what they know', async () => {
      const { informer, seen, kubeClient, advance, pendingTimers } = await setUp();
      const before = pendingTimers();
      informer.start();
      await kubeClient.create(leases, lease('a'));
      await advance(0);
      await Promise.all([informer.stop(), informer.stop()]);
      const count = seen.length;
      await kubeClient.create(leases, lease('b'));
      await advance(60_000);
      expect(pendingTimers()).toBe(before);
      expect(seen).toHaveLength(count);
      expect(informer.list()).toHaveLength(1);
      informer.start();
      await advance(60_000);
      expect(informer.list()).toHaveLength(1);
    });

    it('stop with their client', async () => {
      const { informer, kubeClient, advance, pendingTimers } = await setUp();
      informer.start();
      await advance(0);
      await kubeClient.stop();
      await advance(0);
      expect(pendingTimers()).toBe(0);
      kubeClient.inform(leases).start();
      expect(pendingTimers()).toBe(0);
    });

    it('say that they did not sync in time', async () => {
      const { informer } = await setUp();
      const error = await failure(informer.synced(AbortSignal.abort()));
      expect(hasCode(error, 'cancelled')).toBe(true);
    });
  });
}

function textOf(change: InformerChange<Lease>): string {
  if (change.type === 'replaced') return 'replaced';
  const name = `${change.type} ${change.object.metadata?.name}`;
  return change.type === 'updated'
    ? `${name} ${change.old.spec?.holderIdentity} -> ${change.object.spec?.holderIdentity}`
    : name;
}
