import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PodSituation } from '@podwright/explain-interface';
import type { PullInProgress } from '@podwright/image-interface';
import { secrets } from '@podwright/kube-client-interface';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { ClusterNode } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import { expectPodExplained } from './explained.js';
import { askApi } from './kubelet-api.js';
import { podManifest } from './pod-manifests.js';
import { ScriptedRegistry, type Behaviour } from './scripted-registry.js';
import { useLab } from './test-lab.js';
import { untilHolds } from './wait-for.js';

const support = labSupport();
const onLab = support.ok && process.arch === 'x64' ? describe : describe.skip;
const login = (user: string) => ({ kind: 'login', user, password: `${user}-pw` }) as const;
const waitingOf = ({ status }: Pod) => status?.containerStatuses?.[0]?.state?.waiting;
const failed = (pod: Pod): boolean => /^(ErrImagePull|ImagePullBackOff)$/.test(waitingOf(pod)?.reason ?? '');

onLab(`image pulls${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let server: MemoryClusterServer;
  let registry: ScriptedRegistry;
  let withTokens: ScriptedRegistry;
  let on: ClusterNode;
  let plugins: string;

  beforeAll(async () => {
    server = await MemoryClusterServer.start();
    registry = await ScriptedRegistry.start(bed().lab);
    withTokens = await ScriptedRegistry.start(bed().lab, 'bearer');
    plugins = path.join(bed().lab.dir, 'plugins');
    await writePlugins();
  });
  afterAll(async () => {
    await on?.stop();
    await bed().stopNodes();
    await registry?.stop();
    await withTokens?.stop();
    await server?.stop();
  });

  /**
   * Two programs: `asker` logs each of its runs and knows the password of one repository; `hanger` hangs in its first run,
   * as does what it has started in another session.
   */
  async function writePlugins(): Promise<void> {
    const apiVersion = 'credentialprovider.kubelet.k8s.io/v1';
    const auth = { [`${registry.address}/plugin`]: { username: 'plug', password: 'plug-pw' } };
    const answer = { apiVersion, kind: 'CredentialProviderResponse', cacheKeyType: 'Registry', auth };
    await mkdir(path.join(plugins, 'bin'), { recursive: true });
    const script = `#!/bin/sh\ncat >> '${plugins}/runs'\necho '${JSON.stringify(answer)}'\n`;
    const hangs = `#!/bin/sh
      mkdir '${plugins}/hung' || exit 1
      setsid sleep 1000 & echo $! $$ > '${plugins}/hung/part'; mv '${plugins}/hung/part' '${plugins}/hung/pids'; wait`;
    const write = (name: string, text: string) => writeFile(path.join(plugins, 'bin', name), text, { mode: 0o755 });
    await write('asker', script);
    await write('hanger', hangs);
    const provider = (name: string, repository: string) => {
      const matchImages = [`${registry.address}/${repository}`];
      return { name, apiVersion, matchImages, defaultCacheDuration: '10m' };
    };
    const config = {
      ...{ apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig' },
      providers: [provider('asker', 'plugin'), provider('hanger', 'hanging')],
    };
    await writeFile(path.join(plugins, 'config.yaml'), JSON.stringify(config));
  }

  const startNode = async (name: string, configuration: Readonly<Record<string, unknown>>): Promise<void> => {
    await on?.stop();
    const flags = ['--image-credential-provider-config', path.join(plugins, 'config.yaml')];
    flags.push('--image-credential-provider-bin-dir', path.join(plugins, 'bin'));
    on = await ClusterNode.start(bed(), server, name, {
      configuration: { syncFrequency: '2s', ...configuration },
      // The cases wait for the pauses to be over; by default they begin with 10 s.
      assembly: [{ name: '@podwright/image', config: { pullBackOffInitialMs: 4_000, pullBackOffMaxMs: 8_000 } }],
      flags,
    });
    await on.ready();
  };
  const createSecret = async (name: string, user: string, type: 'dockerconfigjson' | 'dockercfg'): Promise<void> => {
    const account = { username: user, password: `${user}-pw` };
    const entry = { [registry.address]: account, [withTokens.address]: account };
    const content = JSON.stringify(type === 'dockercfg' ? entry : { auths: entry });
    const data = { [`.${type}`]: Buffer.from(content).toString('base64') };
    const meta = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' } };
    await on.admin.create(secrets, { ...meta, type: `kubernetes.io/${type}`, data });
  };
  const createPod = (name: string, image: string, secret = '', policy = 'IfNotPresent'): Promise<Pod> => {
    const containers = [{ name: 'main', image, imagePullPolicy: policy }] as PodSpec['containers'];
    const imagePullSecrets = secret === '' ? [] : [{ name: secret }];
    return on.create(podManifest(name, { containers, imagePullSecrets }));
  };
  const pulls = async (): Promise<readonly PullInProgress[]> =>
    (await askApi<{ pulls: readonly PullInProgress[] }>(on.kubelet.kubelet, '/debug/imagepulls/')).pulls;
  const records = async (): Promise<readonly string[]> => {
    const folder = path.join(on.kubelet.dir, 'root/image_manager/pulled');
    return Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), 'utf8')));
  };

  describe('on a node that pulls in parallel', () => {
    beforeAll(async () => {
      await startNode('parallel', { serializeImagePulls: false, maxParallelImagePulls: 8 });
      await createSecret('json', 'ann', 'dockerconfigjson');
      await createSecret('cfg', 'bob', 'dockercfg');
      await createSecret('copy', 'ann', 'dockercfg');
    });

    it.each([
      ['basic-json', 'ann', 'json'],
      ['basic-cfg', 'bob', 'cfg'],
      ['bearer-json', 'ann', 'json'],
    ])('uses a pull secret: %s', async (name, user, secret) => {
      const image = (name.startsWith('bearer') ? withTokens : registry).publish(`team/${name}`, login(user));
      await createPod(name, image, secret);
      await on.untilReady(name);
      const size = 'Image size: \\d+ bytes\\.';
      await on.untilEvent(name, 'Pulled', new RegExp(`^Successfully pulled image "${image}" in .* ${size}$`));
    });

    it('asks a credential provider plugin once for a registry', async () => {
      for (const name of ['plugin-a', 'plugin-b']) {
        await createPod(name, registry.publish(`plugin/${name}`, login('plug')));
        await on.untilReady(name);
      }
      const runs = (await readFile(path.join(plugins, 'runs'), 'utf8')).trim().split('\n');
      expect(runs.map((line) => JSON.parse(line) as unknown)).toEqual([
        {
          kind: 'CredentialProviderRequest',
          apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
          image: `${registry.address}/plugin/plugin-a`,
        },
      ]);
    });

    describe('from registries that are not well', () => {
      const bad = [
        ['unauthorized-basic', /authorization failed|401 Unauthorized|: unauthorized/],
        [
          'unauthorized-bearer',
          /authorization failed|401 Unauthorized|failed to fetch .*token|unable to retrieve auth token/,
        ],
        ['busy', /429 Too Many Requests|StatusCode: 429/],
        ['broken', /500 Internal Server Error/],
        ['half', /unexpected EOF|connection reset|failed to copy/],
        ['wrong', /digest|failed size validation/i],
      ] as const;
      // How a connection breaks differs from time to time.
      const situations: Readonly<Partial<Record<(typeof bad)[number][0], PodSituation>>> = {
        ...{ 'unauthorized-basic': 'image-unauthorized', 'unauthorized-bearer': 'image-unauthorized' },
        ...{ busy: 'image-registry-error', broken: 'image-registry-error', wrong: 'image-failed' },
      };
      const registryOf = (name: string): ScriptedRegistry => (name.endsWith('bearer') ? withTokens : registry);
      const imageOf = (name: string): string => `${registryOf(name).address}/bad/${name}:1`;
      const behaviours = (): Readonly<Record<(typeof bad)[number][0], Behaviour>> => ({
        'unauthorized-basic': login('zoe'),
        'unauthorized-bearer': login('zoe'),
        // CRI-O waits itself as long as it is told, at most a minute and five times, before it says that a pull failed.
        busy: { kind: 'status', code: 429, headers: { 'Retry-After': bed().lab.runtime === 'cri-o' ? '0' : '3600' } },
        broken: { kind: 'status', code: 500 },
        half: { kind: 'half-layer' },
        wrong: { kind: 'wrong-content' },
      });

      // All at once: each has to wait for its back-off.
      beforeAll(async () => {
        for (const [name, behaviour] of Object.entries(behaviours()))
          await createPod(name, registryOf(name).publish(`bad/${name}`, behaviour));
      });

      it.each(bad)('tells why and backs off: %s', async (name, why) => {
        const pod = await on.until(name, 'cannot be pulled', failed);
        expect(waitingOf(pod)?.message).toMatch(why);
        const event = await on.untilEvent(name, 'Failed', new RegExp(`^Failed to pull image "${imageOf(name)}": `));
        expect(event.message).toMatch(why);
        await on.untilEvent(name, 'BackOff', new RegExp(`^Back-off pulling image "${imageOf(name)}"$`));
        const backingOff = await on.until(name, 'backs off', (seen) => waitingOf(seen)?.reason === 'ImagePullBackOff');
        expect(waitingOf(backingOff)?.message).toContain(`Back-off pulling image "${imageOf(name)}": ErrImagePull: `);
        const explained = situations[name];
        if (explained) await expectPodExplained(on.kubelet, name, explained, { page: `${explained}-${name}` });
      });

      it('goes on once they are', async () => {
        for (const [name] of bad) registryOf(name).behave(`bad/${name}`, { kind: 'open' });
        for (const [name] of bad) await on.untilReady(name, { withinMs: 90_000 });
      });
    });

    it('lets a registry that says nothing hold up its own pod alone, and shows the wait', async () => {
      await createPod('silent', registry.publish('bad/silent', { kind: 'no-answer' }));
      const shown = await on.kubelet.waitFor('the pull is shown', async () =>
        (await pulls()).find(({ podName }) => podName === 'silent'),
      );
      expect(shown).toMatchObject({ state: 'pulling', podNamespace: 'default' });
      await expectPodExplained(on.kubelet, 'silent', 'image-pulling');
      await createPod('other', registry.publish('good/other', { kind: 'open' }));
      await on.untilReady('other');
      const line = await on.kubelet.waitFor('the log speaks of it', async () =>
        (await on.kubelet.log()).find((text) => /image is still being pulled.*silent/.test(text)),
      );
      expect(line).toMatch(/pod="?default\/silent"?.* elapsed="?\d+s/);
      await on.delete('silent', 0);
      await on.kubelet.waitFor('the pull is given up', async () => (await pulls()).length === 0);
    });

    it('lets no pod use what another has pulled with its secret, also after a sudden end', async () => {
      const image = registry.publish('private/app', login('ann'));
      await createPod('owner', image, 'json');
      await on.untilReady('owner');
      await untilHolds(async () => {
        expect((await records()).filter((text) => text.includes('private/app'))).toEqual([
          expect.stringMatching(
            /"kubernetesSecrets":\[\{"uid":"[^"]+","namespace":"default","name":"json","credentialHash":"[0-9a-f]{64}"\}\]/,
          ),
        ]);
      });
      const strangers = async (suffix: string): Promise<void> => {
        await createPod(`stranger-${suffix}`, image);
        await createPod(`guest-${suffix}`, image, 'cfg');
        await createPod(`never-${suffix}`, image, '', 'Never');
        for (const name of ['stranger', 'guest']) await on.until(`${name}-${suffix}`, 'is refused', failed);
        const never = await on.until(
          `never-${suffix}`,
          'waits',
          (pod) => waitingOf(pod)?.reason === 'ErrImageNeverPull',
        );
        expect(waitingOf(never)?.message).toBe(`Container image "${image}" is not present with pull policy of Never`);
        await expectPodExplained(on.kubelet, `never-${suffix}`, 'image-never', { page: `image-never-${suffix}` });
      };
      const friend = async (name: string, secret: string): Promise<void> => {
        const before = registry.asked('private/app');
        await createPod(name, image, secret);
        await on.untilReady(name);
        const message = `Container image "${image}" already present on machine and can be accessed by the pod`;
        expect((await on.untilEvent(name, 'Pulled', /already present/)).message).toBe(message);
        // The strangers ask on, but nobody was let in.
        expect(registry.asked('private/app')).toBeGreaterThanOrEqual(before);
      };
      await strangers('1');
      await friend('friend', 'json');
      await friend('copyist', 'copy');
      await on.kubelet.end('SIGKILL');
      await on.kubelet.start();
      await on.kubelet.untilUp();
      await friend('friend-2', 'json');
      await strangers('2');
    });

    it('ends the processes of a hanging plugin that a killed kubelet left behind', async () => {
      await createPod('hanging', registry.publish('hanging/app', { kind: 'open' }));
      const pids = await on.kubelet.waitFor('the plugin hangs', () =>
        readFile(path.join(plugins, 'hung/pids'), 'utf8').then((text) => text.trim().split(' ')),
      );
      const living = async () => {
        const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X')));
        return states.filter((stat) => !/\) [ZX]/.test(stat)).length;
      };
      await on.kubelet.end('SIGKILL');
      expect(await living()).toBe(2);
      await on.kubelet.start();
      await on.kubelet.waitFor('both have ended', async () => (await living()) === 0);
      await on.kubelet.waitFor('the log says so', async () =>
        (await on.kubelet.log()).some((line) => /that a killed process left behind.*sleep/.test(line)),
      );
      await on.untilReady('hanging');
    });
  });

  describe('on a node that pulls one image after the other', () => {
    beforeAll(() => startNode('serial', {}));

    it('shows the queue, and goes on when the first gives up', async () => {
      let release: () => void = () => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      await createPod('first', registry.publish('queue/first', { kind: 'held', until }));
      await on.kubelet.waitFor('the first is pulled', async () => (await pulls()).length === 1);
      for (const name of ['second', 'third']) {
        await createPod(name, registry.publish(`queue/${name}`, { kind: 'open' }));
        await on.kubelet.waitFor(`${name} waits`, async () => (await pulls()).some(({ podName }) => podName === name));
      }
      expect((await pulls()).map(({ podName, state, queuePlace }) => [podName, state, queuePlace])).toEqual([
        ['first', 'pulling', undefined],
        ['second', 'queued', 1],
        ['third', 'queued', 2],
      ]);
      expect(registry.asked('queue/second')).toBe(0);
      const line = await on.kubelet.waitFor('the log speaks of the queue', async () =>
        (await on.kubelet.log()).find((text) => text.includes('image pull waits for others')),
      );
      expect(line).toMatch(/pod="?default\/second"?.* queuePlace=1/);
      await expectPodExplained(on.kubelet, 'second', 'image-queued');
      await on.delete('first', 0);
      await on.untilReady('second');
      await on.untilReady('third');
      await expectPodExplained(on.kubelet, 'second', 'ready', { page: 'slow-start', oneScreen: true });
      release();
    });
  });
});
