import { beforeAll, describe, expect, it } from '@jest/globals';
import { podUid, type ContainerStatus, type LifecycleHandler, type Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { callAbout, runtimeCalls } from './runtime-calls.js';
import { DiaryNode } from './diary-node.js';
import { expectPodExplained } from './explained.js';
import { nodeContainer, nodeVolumes } from './node-in-container.js';
import { deaf, polite, script, type PodDiary } from './pod-diary.js';
import { eventsOf, startsOf, stopsOf } from './pod-events.js';
import type { PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { untilHolds } from './wait-for.js';

const statusOf = ({ status }: Pod, name = 'main'): ContainerStatus | undefined =>
  status?.containerStatuses?.find((each) => each.name === name);
const cannot = 'until [ -e /begun ]; do sleep 0.05; done; say main cannot; echo so it is; exit 3';
const wasRestarted = (pod: Pod): boolean => (statusOf(pod)?.restartCount ?? 0) > 0;
const exec = (text: string): LifecycleHandler => ({ exec: { command: script(text) } });

// Answers hooks by HTTP, late, and probes by gRPC: to the first two of them it is not serving.
const serverScript = `
const fs = require('node:fs');
const say = (words) => fs.appendFileSync(process.env.DIARY, (Date.now() / 1000).toFixed(3) + ' ' + words + '\\n');
let checks = 0;
require('node:http').createServer((request, response) => {
  say('asked for ' + request.url + ' by ' + request.headers['user-agent']);
  setTimeout(() => { say('answers ' + request.url); response.end(); }, 700);
}).listen(8080);
const grpc = require('node:http2').createServer();
grpc.on('stream', (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.from([0, 0, 0, 0, 2, 8, ++checks < 3 ? 2 : 1]));
});
grpc.listen(9090, () => say('server listens'));
process.on('SIGTERM', () => { say('server TERM'); process.exit(0); });
`;

// Long enough for the hooks of the others to begin meanwhile on a busy machine.
const serverSleepSeconds = 4;
const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`hooks and the probes before them${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let on: DiaryNode;
  let node: TestNode;
  let diary: PodDiary;

  const running = (name: string, count: number): Promise<Pod> =>
    node.waitForPod(
      name,
      'runs',
      ({ status }) => status?.containerStatuses?.filter(({ state }) => state?.running !== undefined).length === count,
    );

  beforeAll(async () => {
    on = await DiaryNode.start(bed(), 'hooks');
    ({ node, diary } = on);
    await on.add(...manifests(diary));
  });

  it('a postStart that fails ends its container, and is the reason why it waits', async () => {
    const waits = (pod: Pod): boolean => statusOf(pod)?.state?.waiting?.reason === 'PostStartHookError';
    // Both at once: the reason is soon another, that of the pause after the second time.
    const [pod, refused] = await Promise.all([
      node.waitForPod('post-start-fails', 'waits', waits),
      node.waitForPod('post-start-refused', 'waits', waits),
    ]);
    const name = node.podName('post-start-fails');
    const command = script(cannot).join(' ');
    expect(statusOf(pod)?.state?.waiting?.message).toBe(
      `Exec lifecycle hook ([${command}]) for Container "main" in Pod "${name}_default(${podUid(pod)})" failed - ` +
        `error: command '${command}' exited with 3: , message: "so it is\\n"`,
    );
    const address = `${refused.status?.podIP}:9`;
    expect(statusOf(refused)?.state?.waiting?.message).toBe(
      `HTTP lifecycle hook (/there) for Container "main" in Pod "${refused.metadata.name}_default(${podUid(refused)})" failed - ` +
        `error: Get "http://${address}/there": dial tcp ${address}: connect: connection refused`,
    );
    await node.waitForPod('post-start-fails', 'was restarted', wasRestarted);
    const words = (await diary.words('post-start-fails')).filter((said) => said !== 'main begins');
    expect(words.slice(0, 3)).toEqual(['main cannot', 'main TERM', 'main ends']);
    expect((await eventsOf(node, 'post-start-fails')).slice(0, 8)).toEqual([
      ...startsOf('main'),
      'FailedPostStartHook main: PostStartHook failed',
      'Killing main: FailedPostStartHook',
      ...startsOf('other'),
    ]);
  });

  it('a deletion waits for a postStart that runs', async () => {
    await on.add(hookedLong(diary));
    await on.says('post-start-deleted', 'hook begins');
    await on.delete('post-start-deleted', 20);
    await on.ended('post-start-deleted');
    const words = await diary.words('post-start-deleted');
    expect([...words.slice(0, 2)].sort()).toEqual(['hook begins', 'main begins']);
    expect(words.slice(2)).toEqual(['hook ends', 'main TERM', 'main ends']);
    expect(await eventsOf(node, 'post-start-deleted')).toEqual([...startsOf('main'), ...stopsOf('main')]);
  });

  it('a startup probe that fails restarts the container, within the grace period of the probe', async () => {
    const restarted = await node.waitForPod('startup-fails', 'was restarted', wasRestarted);
    const entries = await node.waitFor('it runs again', async () => {
      const found = await diary.entries('startup-fails');
      return found.length > 2 && found;
    });
    expect(entries.slice(0, 3).map(({ words }) => words)).toEqual(['main begins', 'main TERM', 'main begins']);
    const pod = await node.pod('startup-fails');
    expect(pod && statusOf(pod)?.lastState?.terminated?.exitCode).toBe(137);
    const ended = statusOf(pod ?? restarted)?.lastState?.terminated?.containerID?.replace(/^.*:\/\//, '') ?? '';
    const [start, stop] = [
      await callAbout(bed().lab, 'StartContainer', ended),
      await callAbout(bed().lab, 'StopContainer', ended),
    ];
    expect(stop.graceSeconds).toBe(3);
    // Two attempts, one period apart.
    expect(stop.atMs - start.atMs).toBeGreaterThan(1_000);
    expect((await eventsOf(node, 'startup-fails')).slice(0, 5)).toEqual([
      ...startsOf('main'),
      'Unhealthy main: Startup probe failed: not yet\n',
      'Killing main: Container main failed startup probe, will be restarted',
    ]);
  });

  it('by exec, http and sleep: each postStart holds up the containers after it, each preStop its own SIGTERM', async () => {
    const pod = await running('hooked', 4);
    const idOf = (name: string): string => statusOf(pod, name)?.containerID?.replace(/^.*:\/\//, '') ?? '';
    await on.says('hooked', 'last begins');
    const begun = (await diary.words('hooked')).filter((words) => !words.endsWith('begins'));
    expect(begun.slice(0, 4)).toEqual([
      'server listens',
      'server was waited for',
      'asked for /after-start by kube-lifecycle/1.36',
      'answers /after-start',
    ]);
    // The hook begins when its container has, so which of them speaks first is open; the container after it is later.
    expect(await diary.between('hooked', 'server was waited for', 'client begins')).toBeGreaterThan(0);
    expect(await diary.between('hooked', 'answers /after-start', 'sleeper begins')).toBeGreaterThan(0);
    const calls = await runtimeCalls(bed().lab);
    const creations = calls.filter(({ method, about }) => method === 'CreateContainer' && about === pod.metadata.name);
    const sleeperStart = await callAbout(bed().lab, 'StartContainer', idOf('sleeper'));
    expect((creations[3]?.atMs ?? Number.NaN) - sleeperStart.atMs).toBeGreaterThan(1_900);
    const started = startsOf('server', 'client', 'sleeper', 'last');
    expect((await eventsOf(node, 'hooked')).filter((event) => !event.startsWith('Unhealthy'))).toEqual(started);

    await on.delete('hooked', 20);
    await on.ended('hooked');
    const words = await diary.words('hooked');
    expect(words.slice(words.indexOf('last begins') + 1).sort()).toEqual(
      [
        'answers /before-stop',
        'asked for /before-stop by kube-lifecycle/1.36',
        ...['client', 'last', 'sleeper'].flatMap((name) => [`${name} TERM`, `${name} ends`]),
        'server TERM',
        'sleeper is about to stop',
        'sleeper may stop',
      ].sort(),
    );
    // All begin to end at once: the others while the first still sleeps.
    for (const early of ['last TERM', 'sleeper is about to stop', 'asked for /before-stop by kube-lifecycle/1.36'])
      expect([early, (await diary.between('hooked', early, 'server TERM')) > 0]).toEqual([early, true]);
    for (const [hookEnds, told] of [
      ['answers /before-stop', 'client TERM'],
      ['sleeper may stop', 'sleeper TERM'],
    ] as const) {
      expect(await diary.between('hooked', hookEnds, told)).toBeGreaterThan(0);
    }
    // What its sleep took is taken from the grace period, in whole seconds: one less when a timer is a little early.
    const graceOf = async (name: string) => (await callAbout(bed().lab, 'StopContainer', idOf(name))).graceSeconds;
    expect(await graceOf('last')).toBe(20);
    expect(await graceOf('server')).toBeLessThanOrEqual(20 - serverSleepSeconds + 1);
    const stops = (await eventsOf(node, 'hooked')).filter((event) => event.startsWith('Killing'));
    expect([...stops].sort()).toEqual(stopsOf('client', 'last', 'server', 'sleeper'));
  });

  it('a probe by gRPC gates readiness, and its event has the word of the service', async () => {
    await node.waitForPod('hooked-not', 'is ready', (pod) => statusOf(pod, 'server')?.ready === true);
    // Events wait for pods that start, and a busy machine may fail a probe before the server listens.
    await untilHolds(async () => {
      expect(await eventsOf(node, 'hooked-not')).toContain(
        'Unhealthy server: Readiness probe failed: service unhealthy (responded with "NOT_SERVING")',
      );
    });
    expect((await node.events('hooked-not', 'Unhealthy'))[0]).toContain('type="Warning"');
  });

  it('a preStop that fails is told, and its time is taken from the grace period that SIGKILL ends', async () => {
    await running('pre-stop-fails', 1);
    const [container] = await bed().runtime.running(node.podName('pre-stop-fails'));
    await on.delete('pre-stop-fails', 5);
    const pod = await on.ended('pre-stop-fails');
    expect(await diary.words('pre-stop-fails')).toEqual(['main begins', 'hook begins', 'hook fails', 'main TERM']);
    const calls = await runtimeCalls(bed().lab);
    const { graceSeconds } =
      calls.find(({ method, about }) => method === 'StopContainer' && about === container?.id) ?? {};
    // Whole seconds are taken off; a busy machine makes more of the hook's 1.2, and two are the least.
    expect([2, 3, 4]).toContain(graceSeconds);
    expect(statusOf(pod)?.state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(await eventsOf(node, 'pre-stop-fails')).toEqual([
      ...startsOf('main'),
      ...stopsOf('main'),
      'FailedPreStopHook main: PreStopHook failed',
    ]);
  });

  it('both are explained while they wait to be tried again', async () => {
    await expectPodExplained(node, node.podName('post-start-fails'), 'post-start-failed');
    await expectPodExplained(node, node.podName('startup-fails'), 'startup-restart');
  });

  it('a preStop that outlasts the grace period is not waited for', async () => {
    await running('pre-stop-hangs', 1);
    const deletedMs = await on.delete('pre-stop-hangs', 2);
    const pod = await on.ended('pre-stop-hangs');
    expect(await diary.words('pre-stop-hangs')).toEqual(['main begins', 'hook begins', 'main TERM', 'main ends']);
    const stop = await callAbout(bed().lab, 'StopContainer', statusOf(pod)?.containerID?.replace(/^.*:\/\//, '') ?? '');
    expect(stop.atMs - deletedMs).toBeGreaterThanOrEqual(2_000);
    // The hook is left running, and ends with the container.
    expect(await eventsOf(node, 'pre-stop-hangs')).toEqual([
      ...startsOf('main'),
      ...stopsOf('main'),
      'FailedPreStopHook main: PreStopHook failed',
    ]);
  });
});

const hookedLong = (diary: PodDiary): PodManifest =>
  diary.pod('post-start-deleted', {
    containers: [polite('main', { lifecycle: { postStart: exec('say hook begins; sleep 3; say hook ends') } })],
  });

function manifests(diary: PodDiary): readonly PodManifest[] {
  const server = nodeContainer('server', serverScript);
  const toServer = (requestPath: string): LifecycleHandler => ({ httpGet: { path: requestPath, port: 8080 } });
  return [
    diary.pod('hooked', {
      volumes: [...nodeVolumes],
      containers: [
        {
          ...server,
          lifecycle: {
            postStart: exec('until grep -q "server listens" $DIARY; do sleep 0.05; done; say server was waited for'),
            preStop: { sleep: { seconds: serverSleepSeconds } },
          },
        },
        polite('client', { lifecycle: { postStart: toServer('/after-start'), preStop: toServer('/before-stop') } }),
        polite('sleeper', {
          lifecycle: {
            postStart: { sleep: { seconds: 2 } },
            preStop: exec('say sleeper is about to stop; sleep 0.5; say sleeper may stop'),
          },
        }),
        polite('last'),
      ],
    }),
    diary.pod('hooked-not', {
      volumes: [...nodeVolumes],
      containers: [
        {
          ...server,
          readinessProbe: { grpc: { port: 9090 }, periodSeconds: 1, timeoutSeconds: 5, initialDelaySeconds: 2 },
        },
      ],
    }),
    diary.pod('post-start-fails', {
      containers: [polite('main', { lifecycle: { postStart: exec(cannot) } }), polite('other')],
    }),
    diary.pod('post-start-refused', {
      // It may be told to end before its shell listens to SIGTERM.
      terminationGracePeriodSeconds: 2,
      containers: [polite('main', { lifecycle: { postStart: { httpGet: { path: '/there', port: 9 } } } })],
    }),
    diary.pod('pre-stop-fails', {
      containers: [
        deaf('main', { lifecycle: { preStop: exec('say hook begins; sleep 1.2; say hook fails; exit 1') } }),
      ],
    }),
    diary.pod('pre-stop-hangs', {
      containers: [polite('main', { lifecycle: { preStop: exec('say hook begins; sleep 1000') } })],
    }),
    diary.pod('startup-fails', {
      terminationGracePeriodSeconds: 300,
      containers: [
        deaf('main', {
          startupProbe: {
            exec: { command: ['sh', '-c', 'echo not yet; exit 1'] },
            periodSeconds: 1,
            timeoutSeconds: 10,
            failureThreshold: 2,
            terminationGracePeriodSeconds: 3,
          },
        }),
      ],
    }),
  ];
}
