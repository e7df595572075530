import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { secrets } from '@podwright/kube-client-interface';
import type { PodSpec, Secret } from '@podwright/kube-types';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

const image = 'registry.test/main:1';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Values of variables are bytes to the runtime. */
const text = (value: unknown): string => Buffer.from(value as Uint8Array).toString();
const secret = (word: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'key', namespace: 'default' },
  data: { word: base64(word) },
});

describe('objects of the API server in pods', () => {
  let sim: SimulatedCluster;
  afterEach(() => sim.dispose());

  async function join(strategy: string): Promise<void> {
    sim = await SimulatedCluster.create({ jitterless: true });
    sim.node.runtime.store.load(image);
    await sim.node.boot({ configMapAndSecretChangeDetectionStrategy: strategy });
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
  }

  const container = { name: 'main', image, imagePullPolicy: 'IfNotPresent' };
  const inVariable: Partial<PodSpec> = {
    containers: [{ ...container, env: [{ name: 'WORD', valueFrom: { secretKeyRef: { name: 'key', key: 'word' } } }] }],
  };
  const inVolume: Partial<PodSpec> = {
    containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    volumes: [{ name: 'v', secret: { secretName: 'key' } }],
  };

  async function word(name: string): Promise<string> {
    const uid = (await sim.pod(name))?.metadata?.uid ?? '';
    const file = path.join(sim.node.dir, 'root/pods', uid, 'volumes/kubernetes.io~secret/v/word');
    return readFile(file, 'utf8');
  }

  async function events(name: string): Promise<readonly string[]> {
    const pod = await sim.pod(name);
    return pod === undefined ? [] : sim.node.events(pod).map(({ reason, message }) => `${reason} ${message}`);
  }

  const waitingOf = async (name: string): Promise<unknown> =>
    (await sim.pod(name))?.status?.containerStatuses?.[0]?.state?.waiting;

  it.each(['Watch', 'Cache', 'Get'])('a container waits for the secret in its variables: %s', async (strategy) => {
    await join(strategy);
    await sim.bind('web', inVariable);
    await sim.until('it waits', async () => (await waitingOf('web')) !== undefined);
    const noun = strategy === 'Watch' ? 'secret' : 'secrets';
    const expected = { reason: 'CreateContainerConfigError', message: `${noun} "key" not found` };
    await sim.until('it says why', async () => {
      const waiting = (await waitingOf('web')) as { reason?: string } | undefined;
      return waiting?.reason === expected.reason;
    });
    expect(await waitingOf('web')).toEqual(expected);
    await sim.put(secret('open'), 'Secret');
    await sim.untilReady('web', 150_000);
    const [created] = sim.node.runtime.control.containers();
    const variables = (created?.config.envs ?? []).map(({ key, value }) => `${key}=${text(value)}`);
    expect(variables).toEqual(expect.arrayContaining(['WORD=open', 'KUBERNETES_SERVICE_HOST=10.96.0.1']));
  });

  it.each(['Watch', 'Cache', 'Get'])('a volume comes with its secret and follows it: %s', async (strategy) => {
    await join(strategy);
    await sim.bind('web', inVolume);
    const noun = strategy === 'Watch' ? 'secret' : 'secrets';
    const event = `FailedMount MountVolume.SetUp failed for volume "v" : ${noun} "key" not found`;
    await sim.until('the event', async () => (await events('web')).includes(event));
    await sim.put(secret('one'), 'Secret');
    await sim.untilReady('web', 150_000);
    expect(await word('web')).toBe('one');
    await sim.finish(sim.admin.update(secrets, secret('two')));
    await sim.until('the file follows', async () => (await word('web')) === 'two', 180_000);
  });

  it('a projected volume holds a token of the service account, and a new one before it expires', async () => {
    await join('Watch');
    await sim.bind('web', {
      serviceAccountName: 'default',
      containers: [{ ...container, volumeMounts: [{ name: 'token', mountPath: '/t' }] }],
      volumes: [
        {
          name: 'token',
          projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3_607 } }] },
        },
      ],
    });
    await sim.untilReady('web');
    const uid = (await sim.pod('web'))?.metadata?.uid ?? '';
    const file = path.join(sim.node.dir, 'root/pods', uid, 'volumes/kubernetes.io~projected/token/token');
    const token = await readFile(file, 'utf8');
    expect(token).not.toBe('');
    await sim.node.clock.advance(3_607_000);
    expect(await readFile(file, 'utf8')).not.toBe(token);
  });
});
