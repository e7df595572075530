import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { describePodsApiContract, PodsApiClient } from '@podwright/pods-api-interface/contract';
import { eventually } from '@podwright/time';
import { cleanHarnesses, createHarness } from './fixtures/pods-api-harness.js';

afterEach(cleanHarnesses);
describePodsApiContract('GrpcPodsApi', createHarness);

const pod: Pod = {
  metadata: { name: 'a', namespace: 'shop', uid: 'u', annotations: { big: 'x'.repeat(100_000) } },
  spec: { containers: [] },
};

describe('GrpcPodsApi', () => {
  it('refuses calls above its rate, but not watches', async () => {
    const { podsApi, clock } = await createHarness({ qps: 1, burst: 2 });
    await podsApi.start();
    const client = new PodsApiClient(podsApi.socket);
    try {
      await client.list();
      await client.list();
      const refused = { code: 'resource-exhausted', message: 'rejected by rate limit' };
      await expect(client.list()).rejects.toMatchObject(refused);
      await expect(client.get('x')).rejects.toMatchObject(refused);
      await client.watch().next();
      await clock.advance(1_000);
      await client.list();
    } finally {
      client.close();
    }
  });

  it('ends the watch of a client that does not read, counts it, and goes on with the others', async () => {
    const { podsApi, setPods, setStatus, metrics } = await createHarness({ maxPendingEvents: 3 });
    await podsApi.start();
    setPods([pod]);
    const [slow, quick] = [new PodsApiClient(podsApi.socket), new PodsApiClient(podsApi.socket)];
    try {
      const lazy = slow.watch();
      await lazy.next();
      const reader = quick.watch();
      for (const _event of ['ADDED', 'INITIAL_SYNC_COMPLETE']) await reader.next();
      const dropped = async (): Promise<boolean> =>
        (await metrics.render()).includes('kubelet_pod_watch_events_dropped_total 1\n');
      // Until the buffers of sockets and streams are full.
      for (let change = 1; !(await dropped()); change++) {
        setStatus('u', { phase: 'Running', message: String(change) });
        await reader.next();
      }
      const readOn = async (): Promise<void> => {
        for await (const _event of lazy);
      };
      await expect(readOn()).rejects.toMatchObject({
        code: 'resource-exhausted',
        message: 'watch client channel closed',
      });
    } finally {
      slow.close();
      quick.close();
    }
  });

  it('refuses a watch above the most, also of a client that was cut off, until one has gone', async () => {
    const { podsApi, setPods, setStatus, metrics } = await createHarness({ maxPendingEvents: 3, maxWatches: 1 });
    await podsApi.start();
    setPods([pod]);
    const [slow, next] = [new PodsApiClient(podsApi.socket), new PodsApiClient(podsApi.socket)];
    try {
      const lazy = slow.watch();
      await lazy.next();
      const refused = {
        code: 'resource-exhausted',
        message:
          'the kubelet serves at most 1 pod watches at once; end one of them, or raise maxWatches of @podwright/pods-api',
      };
      await expect(next.watch().next()).rejects.toMatchObject(refused);
      const dropped = async (): Promise<boolean> =>
        (await metrics.render()).includes('kubelet_pod_watch_events_dropped_total 1\n');
      for (let change = 1; !(await dropped()); change++) {
        setStatus('u', { phase: 'Running', message: String(change) });
        await next.list().catch(() => undefined); // time to write
      }
      for (let change = 0; change < 10; change++) setStatus('u', { phase: 'Running' });
      expect(await dropped()).toBe(true);
      await expect(next.watch().next()).rejects.toMatchObject(refused);
      slow.close();
      await eventually(
        async () =>
          (await next
            .watch()
            .next()
            .catch(() => undefined)) !== undefined,
      );
    } finally {
      slow.close();
      next.close();
    }
  });

  it('makes its folder for root alone, and says what is in its way', async () => {
    const { podsApi } = await createHarness();
    await podsApi.start();
    expect((await stat(path.dirname(podsApi.socket))).mode & 0o777).toBe(0o750);
    const { podsApi: blocked } = await createHarness();
    await mkdir(blocked.socket, { recursive: true });
    await expect(blocked.start()).rejects.toThrow(`cannot serve the Pods API on ${blocked.socket}`);
  });
});
