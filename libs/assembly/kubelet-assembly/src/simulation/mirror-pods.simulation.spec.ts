import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

describe('static pods of a node of a cluster', () => {
  let sim: SimulatedCluster;
  afterEach(() => sim.dispose());

  const mirror = (): Promise<Pod | undefined> => sim.pod('web-node');
  const running = (): number => sim.node.runtime.control.containers().filter((one) => one.running).length;
  const fileOf = (): string => path.join(sim.node.dir, 'manifests/web.yaml');
  const write = (grace = 30): Promise<void> =>
    writeFile(
      fileOf(),
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web' },
        spec: {
          terminationGracePeriodSeconds: grace,
          volumes: [{ name: 'data', hostPath: { path: sim.node.dir } }],
          containers: [
            {
              name: 'main',
              image: 'registry.test/main:1',
              imagePullPolicy: 'IfNotPresent',
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            },
          ],
        },
      }),
    );
  async function join({ away = false } = {}): Promise<void> {
    sim = await SimulatedCluster.create({ jitterless: true });
    sim.node.runtime.store.load('registry.test/main:1');
    await mkdir(path.dirname(fileOf()));
    await write();
    if (away) sim.cluster.server.stop();
    await sim.node.boot({ staticPodPath: path.dirname(fileOf()), fileCheckFrequency: '1s' });
    if (!away) await sim.until('the mirror pod is Ready', async () => isReady(await mirror()), 10_000);
  }

  it('are shown by mirror pods, which a user deletes in vain', async () => {
    await join();
    const first = (await mirror()) as Pod;
    expect(first.metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: 'node', controller: true }]);
    expect(first.status).toMatchObject({ phase: 'Running', containerStatuses: [{ restartCount: 0, ready: true }] });
    for (const grace of [undefined, 0]) {
      const { uid } = ((await mirror()) as Pod).metadata;
      await sim.delete('web-node', grace);
      const anew = async (): Promise<boolean> => {
        const pod = await mirror();
        return pod?.metadata.uid !== uid && isReady(pod);
      };
      expect(await sim.until('it is made and Ready again', anew)).toBeLessThan(3_000);
    }
    expect(running()).toBe(1);
    expect(sim.node.runtime.control.containers()).toHaveLength(1);
  });

  it('lose their mirror pods when their containers have ended, and have new ones for new manifests', async () => {
    await join();
    const { uid } = ((await mirror()) as Pod).metadata;
    await write(20);
    const replaced = async (): Promise<boolean> => {
      const pod = await mirror();
      return pod?.metadata.uid !== uid && pod?.spec.terminationGracePeriodSeconds === 20 && isReady(pod);
    };
    await sim.until('the mirror pod is that of the new manifest', replaced);
    sim.node.runtime.programs.set('main', { onStop: { afterMs: 4_000 } });
    await rm(fileOf());
    await sim.until('the mirror pod is gone', async () => (await mirror()) === undefined);
    expect(running()).toBe(0);
  });

  it('start anew when their manifest is removed and written again at once, which the mirror pod shows', async () => {
    await join();
    await rm(fileOf());
    await write();
    const again = async (): Promise<boolean> => {
      const pod = await mirror();
      return isReady(pod) && pod?.status?.containerStatuses?.[0]?.restartCount === 1;
    };
    await sim.until('the mirror pod shows one restart', again, 60_000);
    expect(running()).toBe(1);
  });

  it('run without an API server, and are shown when it comes', async () => {
    await join({ away: true });
    await sim.node.clock.advance(20_000);
    expect(running()).toBe(1);
    sim.cluster.server.start();
    await sim.until('the mirror pod is Ready', async () => isReady(await mirror()), 120_000);
    expect(sim.node.runtime.control.containers()).toHaveLength(1);
  });

  describe('which the API server itself needs, so that it never answers', () => {
    const inPlace = (): string | undefined => {
      const [one, ...others] = sim.node.runtime.control.containers().filter(({ running: runs }) => runs);
      return others.length === 0 ? one?.id : undefined;
    };
    const started = async (): Promise<string> => {
      await sim.until('one container runs', async () => inPlace() !== undefined, 60_000);
      return inPlace() ?? '';
    };

    const attempts = (): readonly number[] =>
      sim.node.runtime.control.containers().map(({ config }) => config.metadata?.attempt ?? 0);
    const appears = async (grace: number): Promise<void> => {
      sim.cluster.server.start();
      await sim.until('the mirror pod is Ready', async () => isReady(await mirror()), 120_000);
      expect((await mirror())?.spec.terminationGracePeriodSeconds).toBe(grace);
      await sim.until('nothing is left of the others', async () => sim.node.runtime.control.sandboxes.length === 1);
    };

    it('end when their manifest is mended, and the new ones start in their place', async () => {
      await join({ away: true });
      sim.node.runtime.programs.set('main', { exitAfterMs: 100, exitCode: 1 });
      sim.node.runtime.control.exitContainer(await started(), 1);
      await sim.until('it crashes', async () => attempts().includes(3), 120_000);
      sim.node.runtime.programs.set('main', { onStop: { afterMs: 4_000 } });
      await write(25);
      const isFirst = (id = ''): boolean =>
        sim.node.runtime.control.containers().some((one) => one.id === id && one.config.metadata?.attempt === 0);
      await sim.until('the mended one runs', async () => isFirst(inPlace()), 60_000);
      const mended = inPlace();
      await sim.node.clock.advance(60_000);
      expect(inPlace()).toBe(mended);
      await appears(25);
    });

    it('start again with the manifest that they had before, also when the kubelet dies while they end', async () => {
      await join({ away: true });
      sim.node.runtime.programs.set('main', { onStop: { afterMs: 4_000 } });
      const first = await started();
      await rm(fileOf());
      await sim.until('it ends', async () => running() === 0, 60_000);
      await write();
      const second = await started();
      expect(second).not.toBe(first);
      await write(25);
      await sim.until('the second is asked to stop', async () => sim.node.runtime.calls.of('stopContainer').length > 1);
      await sim.node.kill();
      expect(inPlace()).toBe(second);
      await sim.node.boot({ staticPodPath: path.dirname(fileOf()), fileCheckFrequency: '1s' });
      await sim.until('the third runs alone', async () => ![undefined, second].includes(inPlace()), 60_000);
      await appears(25);
    });

    it('are not touched by a kubelet that starts and whose own source is silent, or whose manifest is unchanged', async () => {
      await join({ away: true });
      const first = await started();
      await sim.node.kill();
      await sim.node.boot({ staticPodURL: 'http://127.0.0.1:1/' });
      await sim.node.clock.advance(60_000);
      expect(inPlace()).toBe(first);
      await sim.node.kill();
      await sim.node.boot({ staticPodPath: path.dirname(fileOf()), fileCheckFrequency: '1s' });
      await sim.node.clock.advance(60_000);
      expect(inPlace()).toBe(first);
      await appears(30);
    });
  });
});

describe('an API server that is away for five minutes', () => {
  let sim: SimulatedCluster;
  afterEach(() => sim.dispose());

  it('restarts nothing, and is told the newest when it is back', async () => {
    sim = await SimulatedCluster.create({ jitterless: true });
    sim.node.runtime.store.load('registry.test/main:1');
    await sim.node.boot();
    const names = ['a', 'b', 'c', 'd'];
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    for (const name of names) await sim.bind(name);
    for (const name of names) await sim.untilReady(name);
    sim.cluster.server.stop();
    await sim.node.clock.advance(100_000);
    const [victim] = sim.node.runtime.control.containers();
    sim.node.runtime.control.exitContainer(victim?.id ?? '', 3);
    await sim.node.clock.advance(200_000);
    sim.cluster.server.start();
    const told = async (): Promise<boolean> => {
      const all = await sim.pods();
      const restarts = all.map(({ status }) => status?.containerStatuses?.[0]?.restartCount ?? 0);
      return all.every(isReady) && restarts.reduce((sum, count) => sum + count, 0) === 1;
    };
    await sim.until('all statuses are told', told, 60_000);
    const now = sim.node.runtime.control.containers().filter((one) => one.running);
    expect(now).toHaveLength(names.length);
  });
});
