import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { nodes, pods, secrets } from '@podwright/kube-client-interface';
import { labSupport, tryCommand } from '@podwright/lab';
import { createSeededRandom } from '@podwright/time';
import { buildExecutable } from '../build/executable.js';
import { asAfterAReboot } from './as-after-a-reboot.js';
import { unexpectedCalls } from './api-calls-table.js';
import { ClusterNode } from './cluster-node.js';
import { expectNodeExplained, expectPodExplained } from './explained.js';
import { MemoryClusterServer } from './cluster-server.js';
import { main, podManifest, script, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import { aWhile } from './wait-for.js';

const awayMs = 20_000;
const kills = Number(process.env['PODWRIGHT_ACCEPTANCE_CLUSTER_KILLS'] ?? 5);
jest.setTimeout(120_000 + kills * 5_000);
const seed = Number(process.env['PODWRIGHT_ACCEPTANCE_SEED'] ?? 1);
const user = 'system:node:troubled';
/** Ends with 1 once somebody has made the file `/end`; its next life begins without. */
const mortal = script('trap "exit 0" TERM; while [ ! -e /end ]; do sleep 0.1; done; exit 1');
const messageOf = (line: string): string => /\] "((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line;

/** Lines that say again what another said; each reflector may say it once. */
function repeated(lines: readonly string[]): readonly string[] {
  const about = (line: string): string => `${messageOf(line)} ${/ reflector="(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? ''}`;
  return lines.filter((line, index) => lines.findIndex((other) => about(other) === about(line)) < index);
}

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`a node of a cluster in trouble${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let server: MemoryClusterServer;
  let on: ClusterNode;
  let podwright: string;

  beforeAll(async () => {
    podwright = (await buildExecutable('podwright')).file;
    server = await MemoryClusterServer.start();
    const configuration = { nodeLeaseDurationSeconds: 8, clusterDNS: ['10.96.0.10'] };
    const offline = { add: '@podwright/offline-objects', config: { offlineAfterMs: 3_000 } };
    on = await ClusterNode.start(bed(), server, 'troubled', { configuration, assembly: [offline] });
    await on.ready();
  });
  afterAll(async () => {
    await on?.stop();
    await bed().stopNodes();
    await server?.stop();
  });

  const idOf = async (pod: string): Promise<string | undefined> => (await bed().runtime.running(pod))[0]?.id;

  it('leaves its pods alone while the server is away, and tells afterwards what happened', async () => {
    await on.create(podManifest('steady'));
    await on.create(podManifest('leaving'));
    await on.create(podManifest('crashing', { containers: [main({ command: [...mortal] })] }));
    for (const name of ['steady', 'leaving', 'crashing']) await on.untilReady(name);
    const [steady, leaving] = [await idOf('steady'), await idOf('leaving')];
    const linesBefore = (await on.kubelet.log()).length - 1; // the last one is not begun yet

    // The answer of the API server, who may ask, is kept for minutes.
    await expectPodExplained(on.kubelet, 'crashing', 'ready', { page: 'ready-of-api' });
    await server.leave();
    const leftMs = performance.now();
    await on.exec('crashing', 'touch', '/end');
    await on.kubelet.waitFor(
      'the container is started again',
      async () => (await bed().runtime.running('crashing'))[0]?.attempt === 1,
    );
    await on.delete('leaving');
    await on.create(podManifest('coming'));
    await aWhile(awayMs - (performance.now() - leftMs));
    await expectPodExplained(on.kubelet, 'crashing', 'status-outage');
    await expectNodeExplained(on.kubelet, 'lease-failing');
    // Nobody has to be asked for root on the node.
    const socket = path.join(on.kubelet.dir, 'root/podwright.sock');
    const explain = [podwright, '--socket', socket, 'explain', 'pod', 'crashing'];
    expect(await tryCommand(process.execPath, explain)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Pod default\/crashing .*from api/),
    });
    expect([await idOf('steady'), await idOf('leaving'), await idOf('coming')]).toEqual([steady, leaving, undefined]);

    const backMs = Date.now();
    await server.comeBack();
    // A watch is tried again after pauses that grow to 30 s, as upstream's are.
    await on.untilGone('leaving', { withinMs: 60_000 });
    await on.untilReady('coming');
    const crashed = await on.until(
      'crashing',
      'has its restart told',
      ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1,
    );
    expect(crashed.status?.containerStatuses).toMatchObject([{ lastState: { terminated: { exitCode: 1 } } }]);
    expect(await idOf('steady')).toBe(steady);

    // What was watched goes on from where it was: nothing is listed anew, nobody storms.
    const requests = server.requests({ user }, backMs);
    expect(requests.filter(({ verb }) => verb === 'list')).toEqual([]);
    expect(requests.length).toBeLessThan(80);
    const log = (await on.kubelet.log()).slice(linesBefore);
    const complaints = log.filter((line) => /^[WE]\d{4} /.test(line));
    expect(
      complaints.map(messageOf).filter((text) => text.startsWith('The API server cannot be reached')),
    ).toHaveLength(1);
    expect(repeated(complaints)).toEqual([]);
    expect(log.map(messageOf).filter((text) => text === 'The API server answers again')).toHaveLength(1);
  });

  it('starts its pods after a reboot without the server, whose word counts when it is back', async () => {
    const data = { word: Buffer.from('open').toString('base64') };
    await on.admin.create(secrets, { metadata: { namespace: 'default', name: 'key' }, data });
    const env = [{ name: 'WORD', valueFrom: { secretKeyRef: { name: 'key', key: 'word' } } }];
    const volumeMounts = [{ name: 'key', mountPath: '/key' }];
    await on.create(
      podManifest('kept', {
        containers: [main({ env, volumeMounts })],
        volumes: [{ name: 'key', secret: { secretName: 'key' } }],
      }),
    );
    for (const name of ['dropped', 'altered']) await on.create(podManifest(name));
    for (const name of ['kept', 'dropped', 'altered']) await on.untilReady(name);

    await server.leave();
    await on.kubelet.end('SIGKILL');
    await asAfterAReboot(bed().runtime, on.kubelet.dir);
    await on.kubelet.start();
    for (const name of ['kept', 'dropped', 'altered']) {
      await on.kubelet.waitFor(`${name} runs again`, async () => (await idOf(name)) !== undefined);
    }
    expect(await on.exec('kept', 'sh', '-c', 'echo $WORD $(cat /key/word)')).toBe('open open\n');
    expect(await on.kubelet.complaints('the pods of this node start as they were saved')).toHaveLength(1);
    const kept = await idOf('kept');

    await on.delete('dropped', 0);
    const body = { spec: { activeDeadlineSeconds: 1 } };
    await on.admin.patch(pods, { namespace: 'default', name: 'altered' }, { type: 'merge', body });
    await server.comeBack();
    await on.untilEnded('dropped', { withinMs: 60_000 });
    const failed = await on.until('altered', 'has failed', ({ status }) => status?.phase === 'Failed');
    expect(failed.status?.reason).toBe('DeadlineExceeded');
    await on.untilReady('kept');
    expect(await idOf('kept')).toBe(kept);
    await on.untilEvent('kept', 'APIServerBack', /^API server answers again: the pod ran as it was saved, from /);
    await on.delete('altered', 0);
  });

  it(`loses nothing over ${kills} deaths of the kubelet, seed ${seed}`, async () => {
    const random = createSeededRandom(seed);
    const folder = path.join(bed().lab.dir, 'marks');
    await mkdir(folder, { recursive: true });
    // Each life of its container leaves a line.
    const marked = (name: string): PodManifest => {
      const command = [...script(`echo begin >> /marks/${name}; trap "exit 0" TERM; sleep 1000000 & wait`)];
      return podManifest(name, {
        containers: [main({ command, volumeMounts: [{ name: 'marks', mountPath: '/marks' }] })],
        volumes: [{ name: 'marks', hostPath: { path: folder } }],
      });
    };
    const wanted = new Set<string>();
    const unwanted: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      for (const name of [`mortal-${round}-a`, `mortal-${round}-b`]) {
        await on.create(marked(name));
        wanted.add(name);
      }
      const [oldest = ''] = wanted;
      if (round > 0) {
        await on.delete(oldest);
        wanted.delete(oldest);
        unwanted.push(oldest);
      }
      await aWhile(random.next() * 1_500);
      await on.kubelet.end('SIGKILL');
      await on.kubelet.start();
    }
    for (const name of wanted) await on.untilReady(name);
    for (const name of unwanted) await on.untilGone(name);
    // As upstream: a container that was made, and not started before the kubelet died, is made again and counts.
    for (const name of wanted) {
      const pod = await on.pod(name);
      const running = await bed().runtime.running(name);
      expect([name, running.map(({ attempt }) => attempt)]).toEqual([
        name,
        [pod?.status?.containerStatuses?.[0]?.restartCount],
      ]);
    }
    for (const name of unwanted) expect(await bed().runtime.running(name)).toEqual([]);
    for (const name of await readdir(folder))
      expect([name, await readFile(path.join(folder, name), 'utf8')]).toEqual([name, 'begin\n']);
  });

  it('does not come back when somebody deletes its object, but registers when it is started again', async () => {
    const before = await on.ready();
    const steady = await idOf('steady');
    await on.admin.delete(nodes, { name: 'troubled' });
    await on.kubelet.waitFor('the kubelet has noticed', async () =>
      (await on.kubelet.complaints('Failed to get node when trying to set owner ref to the node lease')).some((line) =>
        line.includes('the kubelet registers when it starts, not later'),
      ),
    );
    expect(await on.find(nodes, { name: 'troubled' })).toBeUndefined();
    await on.kubelet.end('SIGTERM');
    await on.kubelet.start();
    expect((await on.ready()).metadata?.uid).not.toBe(before.metadata?.uid);
    await on.create(podManifest('afterwards'));
    await on.untilReady('afterwards');
    expect(await idOf('steady')).toBe(steady);
  });

  it('has asked for nothing that is not documented, and for nothing that is forbidden', () => {
    // Its status waited for the server, and may be sent before the first list shows that the pod is gone.
    const ofGonePod = { resource: 'pods', verb: 'get', name: 'dropped' } as const;
    const gone = server.requests({ user, ...ofGonePod });
    const calls = unexpectedCalls(server.requests({ user }).filter((request) => !gone.includes(request)));
    expect(calls).toEqual({ undocumented: [], forbidden: [] });
  });
});
