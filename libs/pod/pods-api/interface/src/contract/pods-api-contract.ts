import { afterEach, describe, expect, it } from '@podwright/contract';
import { decodeMessage } from '@podwright/kube-protobuf';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { EventType } from '../generated/pods.js';
import type { PodsApi } from '../pods-api.js';
import { PodsApiClient } from './pods-api-client.js';

/** A Pods API on a socket of its own, not started, and the pods that it serves. */
export interface PodsApiHarness {
  readonly podsApi: PodsApi;
  /** Another one for the same socket. */
  readonly successor: PodsApi;
  /** The pod manager's pods. */
  setPods(pods: readonly Pod[]): void;
  /** The newest status of a pod that the pod manager has or had; `ended` when the pod has ended. */
  setStatus(podUid: string, status: PodStatus, ended?: boolean): void;
}

const pod = (name: string): Pod => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, labels: { app: name } },
  spec: { containers: [{ name: 'app' }], hostNetwork: true },
});
const running: PodStatus = { phase: 'Running' };
const podIn = (bytes: Uint8Array): unknown => decodeMessage('core.v1.Pod', bytes);
const names: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(EventType).map(([name, number]) => [number, name]),
);

/** Every implementation of {@link PodsApi} passes this suite; `create` gives a new instance per case. */
export function describePodsApiContract(name: string, create: () => Promise<PodsApiHarness>): void {
  describe(`${name} as a PodsApi`, () => {
    const ends: (() => unknown)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });
    async function started(): Promise<PodsApiHarness & { readonly client: PodsApiClient }> {
      const harness = await create();
      ends.push(() => harness.podsApi.stop());
      await harness.podsApi.start();
      const client = new PodsApiClient(harness.podsApi.socket);
      ends.push(() => client.close());
      return { ...harness, client };
    }
    /** Reads the next events of a watch. */
    function watching(client: PodsApiClient): (count: number) => Promise<readonly (readonly [string, unknown])[]> {
      const events = client.watch();
      return async (count) => {
        const seen: (readonly [string, unknown])[] = [];
        while (seen.length < count) {
          const { value } = await events.next();
          if (value === undefined) throw new Error('the watch has ended');
          seen.push([names[value.type] ?? '', podIn(value.pod)]);
        }
        return seen;
      };
    }

    it('can be stopped before it was started, and twice', async () => {
      const { podsApi } = await create();
      expect(podsApi.healthy()).toMatchObject({ ok: false });
      await podsApi.stop();
      await podsApi.start();
      expect(podsApi.healthy()).toEqual({ ok: true });
      await podsApi.stop();
      await podsApi.stop();
      expect(podsApi.healthy()).toMatchObject({ ok: false });
    });

    it('takes the socket over that a former one left', async () => {
      const { podsApi, successor } = await create();
      ends.push(() => successor.stop());
      await podsApi.start();
      await podsApi.stop();
      await successor.start();
      const client = new PodsApiClient(successor.socket);
      ends.push(() => client.close());
      expect(await client.list()).toEqual({ pods: [] });
    });

    it('lists pods with their newest statuses, sorted by UID', async () => {
      const { client, setPods, setStatus } = await started();
      setPods([pod('b'), { ...pod('a'), status: { phase: 'Pending' } }]);
      setStatus('uid-b', running);
      const { pods } = await client.list();
      expect(pods.map(podIn)).toEqual([
        { ...pod('a'), status: { phase: 'Pending' } },
        { ...pod('b'), status: running },
      ]);
    });

    it('knows a pod by its UID, and says which one it does not know', async () => {
      const { client, setPods, setStatus } = await started();
      setPods([pod('a')]);
      setStatus('uid-a', running);
      expect(podIn((await client.get('uid-a')).pod)).toEqual({ ...pod('a'), status: running });
      await expect(client.get('uid-b')).rejects.toMatchObject({
        code: 'not-found',
        message: 'pod with UID uid-b not found',
      });
    });

    it('tells watchers of all pods first, then of each change, and of the end with the name alone', async () => {
      const { client, setPods, setStatus } = await started();
      setPods([pod('b'), pod('a')]);
      setStatus('uid-b', running);
      const next = watching(client);
      expect(await next(3)).toEqual([
        ['ADDED', pod('a')],
        ['ADDED', { ...pod('b'), status: running }],
        ['INITIAL_SYNC_COMPLETE', {}],
      ]);
      setStatus('uid-a', running);
      expect(await next(1)).toEqual([['MODIFIED', { ...pod('a'), status: running }]]);
      setPods([pod('a'), pod('b'), pod('c')]);
      setStatus('uid-c', running);
      setPods([pod('b'), pod('c')]);
      setStatus('uid-a', { phase: 'Succeeded' }, true);
      const { name: ofA, namespace, uid } = pod('a').metadata;
      expect(await next(2)).toEqual([
        ['ADDED', { ...pod('c'), status: running }],
        ['DELETED', { metadata: { name: ofA, namespace, uid } }],
      ]);
    });

    it('ends watches when it stops', async () => {
      const { client, podsApi } = await started();
      const events = client.watch();
      await events.next();
      await podsApi.stop();
      await expect(events.next()).rejects.toThrow();
    });
  });
}
