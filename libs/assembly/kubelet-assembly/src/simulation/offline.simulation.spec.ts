import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nodes, pods, secrets } from '@podwright/kube-client-interface';
import type { Pod, PodSpec, Secret } from '@podwright/kube-types';
import { offlineObjectsModule } from '@podwright/offline-objects';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

const image = 'registry.test/main:1';
const minute = 60_000;
const secret = (word: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'key', namespace: 'default' },
  data: { word: Buffer.from(word).toString('base64') },
});
const container = { name: 'main', image, imagePullPolicy: 'IfNotPresent' };
const needy: Partial<PodSpec> = {
  serviceAccountName: 'default',
  nodeSelector: { zone: 'a' },
  containers: [
    {
      ...container,
      env: [{ name: 'WORD', valueFrom: { secretKeyRef: { name: 'key', key: 'word' } } }],
      volumeMounts: [
        { name: 'v', mountPath: '/v' },
        { name: 'token', mountPath: '/t' },
      ],
    },
  ],
  volumes: [
    { name: 'v', secret: { secretName: 'key' } },
    { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 607 } }] } },
  ],
};

describe('a node that keeps objects for a start without API server', () => {
  let sim: SimulatedCluster;
  beforeEach(async () => {
    sim = await SimulatedCluster.create({ jitterless: true, modules: [offlineObjectsModule] });
    sim.node.runtime.store.load(image);
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    const labels = { metadata: { labels: { zone: 'a' } } };
    await sim.finish(sim.admin.patch(nodes, { name: 'node' }, { type: 'merge', body: labels }));
    await sim.put(secret('open'), 'Secret');
  });
  afterEach(() => sim.dispose());

  /** The machine loses its power, and starts again. */
  async function reboot(): Promise<void> {
    await sim.node.kill();
    sim.node.runtime.control.reboot();
    await sim.node.boot();
  }
  const running = (pod: Pod | undefined) =>
    sim.node.runtime.control.containers(pod?.metadata.uid).filter((each) => each.running);
  const runs = (pod: Pod | undefined, limitMs?: number): Promise<number> =>
    sim.node.until(() => running(pod).length > 0, limitMs);
  const volume = (pod: Pod | undefined, file: string): Promise<string> =>
    readFile(path.join(sim.node.dir, 'root/pods', pod?.metadata.uid ?? '', 'volumes', file), 'utf8');
  const secretFile = 'kubernetes.io~secret/v/word';
  const tokenFile = 'kubernetes.io~projected/token/token';
  const saved = async (): Promise<readonly string[]> =>
    (await readdir(path.join(sim.node.dir, 'root/offline_objects'))).filter((name) => name.length === 64);

  async function bound(name: string, spec: Partial<PodSpec> = {}): Promise<Pod | undefined> {
    await sim.bind(name, spec);
    await sim.untilReady(name);
    return sim.pod(name);
  }

  it('starts its pods with secrets, tokens, services and labels after a reboot, and takes the word of the server that is back', async () => {
    const [needyPod, deleted, changed] = [await bound('needy', needy), await bound('deleted'), await bound('changed')];
    const token = await volume(needyPod, tokenFile);
    await sim.node.clock.advance(5_000);
    sim.node.runtime.programs.set('main', { onStop: { afterMs: 3_000, exitCode: 7 } });
    sim.cluster.server.stop();
    await reboot();
    expect(await runs(needyPod)).toBeGreaterThan(9_000);
    for (const pod of [deleted, changed]) await runs(pod);
    const variables = running(needyPod).flatMap(({ config }) => config.envs ?? []);
    const text = variables.map(({ key, value }) => `${key}=${Buffer.from(value as unknown as Uint8Array).toString()}`);
    expect(text).toEqual(expect.arrayContaining(['WORD=open', 'KUBERNETES_SERVICE_HOST=10.96.0.1']));
    expect([await volume(needyPod, secretFile), await volume(needyPod, tokenFile)]).toEqual(['open', token]);
    expect(sim.node.reasons(needyPod)).toContain('APIServerAway');
    expect(sim.node.logger.messages('warning')).toContain(
      'The API server cannot be reached: the pods of this node start as they were saved',
    );

    // What an administrator does at the server while the node cannot reach it.
    const ids = running(needyPod).map(({ id }) => id);

    sim.cluster.server.start();
    await sim.finish(sim.admin.delete(pods, { namespace: 'default', name: 'deleted' }, { gracePeriodSeconds: 0 }));
    const body = { spec: { containers: [{ name: 'main', image: 'registry.test/main:2' }] } };
    await sim.finish(
      sim.admin.patch(pods, { namespace: 'default', name: 'changed' }, { type: 'strategic-merge', body }),
    );
    sim.node.runtime.store.load('registry.test/main:2');
    await sim.node.until(() => running(deleted).length === 0, 2 * minute);
    // With its own grace period, as its program had the time to end by itself.
    expect(sim.node.runtime.control.containers(deleted?.metadata.uid).map(({ exitCode }) => exitCode)).toContain(7);
    await sim.until('the changed pod runs the new image', async () =>
      running(await sim.pod('changed')).some(
        ({ config }) => config.image?.userSpecifiedImage === 'registry.test/main:2',
      ),
    );
    expect(running(needyPod).map(({ id }) => id)).toEqual(ids);
    await sim.until('the server shows it', async () => isReady(await sim.pod('needy')));
    await sim.until('it tells of the absence', async () => sim.node.reasons(needyPod).includes('APIServerBack'));
    await sim.finish(sim.admin.update(secrets, secret('two')));
    await sim.until('the secret follows', async () => (await volume(needyPod, secretFile)) === 'two', 3 * minute);
  });

  it('gives a pod of the same name another life when its UID is another one', async () => {
    const [old] = [await bound('web')];
    sim.cluster.server.stop();
    await reboot();
    await runs(old);
    sim.cluster.server.start();
    await sim.finish(sim.admin.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 }));
    await sim.bind('web');
    await sim.untilReady('web', 2 * minute);
    await sim.node.until(() => running(old).length === 0, minute);
    expect(running(await sim.pod('web'))).toHaveLength(1);
  });

  it('runs again neither what was being deleted nor what had ended, also while the server was away', async () => {
    const once = { restartPolicy: 'Never' };
    const [over, later, going] = [await bound('over', once), await bound('later', once), await bound('going')];
    const exit = (pod: Pod | undefined): void =>
      running(pod).forEach(({ id }) => sim.node.runtime.control.exitContainer(id, 0));
    exit(over);
    await sim.until('it is over', async () => (await sim.pod('over'))?.status?.phase === 'Succeeded');
    sim.node.runtime.programs.set('main', { onStop: 'ignore' });
    await sim.delete('going', 600);
    await sim.node.clock.advance(5_000);
    sim.cluster.server.stop();
    exit(later);
    await sim.node.until(() => sim.node.status(later as Pod)?.phase === 'Succeeded');
    await sim.node.clock.advance(1_000);
    await reboot();
    await sim.node.clock.advance(2 * minute);
    expect([over, later, going].flatMap(running)).toEqual([]);
    expect(sim.node.status(later as Pod)?.phase).toBe('Succeeded');
    sim.cluster.server.start();
    await sim.untilGone('going', 2 * minute);
    await sim.until('the server is told', async () => (await sim.pod('later'))?.status?.phase === 'Succeeded', minute);
  });

  it('starts a pod with a token that has expired, says so, and gives it a new one when the server is back', async () => {
    const pod = await bound('needy', needy);
    const token = await volume(pod, tokenFile);
    sim.cluster.server.stop();
    await sim.node.clock.advance(11 * minute);
    await reboot();
    await runs(pod);
    expect(await volume(pod, tokenFile)).toBe(token);
    expect(sim.node.logger.messages('warning')).toContain(
      'The API server cannot be reached: a pod gets a service account token that has expired',
    );
    sim.cluster.server.start();
    await sim.until('there is a new token', async () => (await volume(pod, tokenFile)) !== token, 3 * minute);
  });

  it('removes what it keeps of a pod soon after the pod is gone', async () => {
    await bound('needy', needy);
    await sim.node.clock.advance(5_000);
    const others = (await saved()).length;
    await bound('second', needy);
    await sim.node.clock.advance(5_000);
    // The pod and its token.
    expect(await saved()).toHaveLength(others + 2);
    for (const name of ['needy', 'second']) {
      await sim.delete(name);
      await sim.untilGone(name);
    }
    await sim.node.clock.advance(5_000);
    // The first pod, its token, its secret.
    expect(await saved()).toHaveLength(others - 3);
  });

  it('leaves running pods alone that it has not kept, when only the kubelet starts again', async () => {
    const pod = await bound('web');
    const ids = running(pod).map(({ id }) => id);
    sim.cluster.server.stop();
    await sim.node.stop();
    const folder = path.join(sim.node.dir, 'root/offline_objects');
    for (const name of await saved()) await writeFile(path.join(folder, name), 'not what it was');
    await sim.node.boot();
    await sim.node.clock.advance(5 * minute);
    expect(running(pod).map(({ id }) => id)).toEqual(ids);
    expect(sim.node.logger.messages('error')).toContain(
      'A saved object cannot be read and is set aside; its pod waits for the API server',
    );
    sim.cluster.server.start();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()), 2 * minute);
    await sim.node.clock.advance(minute);
    expect(running(await sim.pod('web')).map(({ id }) => id)).toEqual(ids);
  });

  it('says what keeps a pod with a claim from starting, and starts the others', async () => {
    const volumeMounts = [{ name: 'db', mountPath: '/db' }];
    const volumes = [{ name: 'db', persistentVolumeClaim: { claimName: 'db' } }];
    await sim.bind('db', { containers: [{ ...container, volumeMounts }], volumes });
    const [web, db] = [await bound('web'), await sim.pod('db')];
    sim.cluster.server.stop();
    await reboot();
    await runs(web);
    await sim.node.until(() => sim.node.reasons(db).includes('FailedMount'), 3 * minute);
    expect(sim.node.events(db).map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining('failed to fetch PVC from API server')]),
    );
    expect(running(db)).toEqual([]);
  });
});

it('starts nothing without the module', async () => {
  const sim = await SimulatedCluster.create({ jitterless: true });
  sim.node.runtime.store.load(image);
  await sim.node.boot();
  await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
  await sim.bind('web');
  await sim.untilReady('web');
  sim.cluster.server.stop();
  await sim.node.kill();
  sim.node.runtime.control.reboot();
  await sim.node.boot();
  await sim.node.clock.advance(5 * minute);
  expect(sim.node.runtime.control.containers().filter(({ running }) => running)).toEqual([]);
  await sim.dispose();
});
