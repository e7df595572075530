import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { describeStatsProviderContract, type StatsProviderHarness } from '@podwright/stats-interface/contract';
import type { NodeStats, PodStats, StatsProvider, Summary } from '@podwright/stats-interface';
import { contractHarness } from './fixtures/contract-harness.js';

type Broken = (good: StatsProviderHarness) => Partial<StatsProviderHarness>;
type Summarize = StatsProvider['summary'];

const broken = (replaced: (good: StatsProvider) => Partial<StatsProvider>): Broken => breaksIn('stats', replaced);
const asking = (replaced: (ask: Summarize) => Summarize): Broken =>
  broken((good) => ({ summary: replaced((...asked) => good.summary(...asked)) }));
const telling = (change: (summary: Summary) => Summary): Broken =>
  asking((ask) => async (options) => change(await ask(options)));
const ofNode = (change: (node: NodeStats) => NodeStats): Broken =>
  telling(({ node, pods }) => ({ node: change(node), pods }));
const ofPod = (change: (pod: PodStats) => PodStats): Broken =>
  telling(({ node, pods }) => ({ node, pods: pods.map(change) }));
const refusing = (message: string): Broken =>
  asking((ask) => (options) => ask(options).catch(() => Promise.reject(new Error(message))));

const empty: Summary = { node: { nodeName: 'node-1', startTime: '' }, pods: [] };
const withFraction = (time: string): string => time.replace('Z', '.5Z');
const neverPods = telling(({ node }) => ({ node, pods: [] }));
const asksOnce = asking((ask) => {
  let first: Promise<Summary> | undefined;
  return (options) => (first ??= ask(options));
});

describeContractProof(
  'StatsProvider',
  (create) => describeStatsProviderContract('a broken StatsProvider', create),
  contractHarness('unix:///run/containerd/containerd.sock'),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('stats'),
      'it is healthy before it was started': broken(() => ({ healthy: () => ({ ok: true }) })),
      'it answers once stopped': asking((ask) => (options) => ask(options).catch(() => empty)),
    },
    'reads the pods that are asked for alone, and none at all for the node alone': {
      'it reads all': asking(
        (ask) =>
          ({ podUids: _, ...options } = {}) =>
            ask(options),
      ),
      'it reads all and leaves out those that are not asked for': asking((ask) => async (options) => {
        await ask();
        return ask(options);
      }),
      'it gives others where some are asked for': asking(
        (ask) =>
          ({ podUids, ...options } = {}) =>
            ask(podUids?.length === 0 ? { podUids } : options),
      ),
      'it gives none when one is unknown': asking(
        (ask) => (options) => ask(options?.podUids?.includes('another') === true ? { podUids: ['another'] } : options),
      ),
      'the node has no file system': ofNode(({ fs: _, ...node }) => node),
      'it answers once stopped': asking((ask) => (options) => ask(options).catch(() => empty)),
    },
    'tells of the node, its file systems and its pods': {
      'it is not healthy': broken(() => ({ healthy: () => ({ ok: false, reason: 'no reading yet' }) })),
      'it leaves the processes out': ofNode(({ rlimit: _, ...node }) => node),
      'it leaves the file systems of the runtime out': ofNode(({ runtime: _, ...node }) => node),
      'it tells times in more than seconds': ofNode((node) => ({ ...node, startTime: withFraction(node.startTime) })),
      'it leaves the pods out': neverPods,
      'it tells of a pod twice': telling(({ node, pods }) => ({ node, pods: [...pods, ...pods] })),
      'it leaves the containers out': ofPod((pod) => ({ ...pod, containers: [] })),
      'it leaves the file system of a pod out': ofPod(({ 'ephemeral-storage': _, ...pod }) => pod),
    },
    'looks at no file system for the reduced form': {
      'it gives the full form': asking((ask) => () => ask()),
      'it leaves the file systems of containers in': asking((ask) => async (options) => {
        const full = await ask();
        const { node } = await ask(options);
        const pods = full.pods.map(({ podRef, startTime, containers }) => ({ podRef, startTime, containers }));
        return { node, pods };
      }),
      'it leaves the memory out': ofNode(({ memory: _, ...node }) => node),
      'it leaves the pods out': neverPods,
    },
    'reads once for all who ask within its age: %j': {
      'it reads for each': asking((ask) => (options) => ask({ ...options, maxAgeMs: 0 })),
      'it takes any age': asking((ask) => (options) => ask({ ...options, maxAgeMs: 60_000 })),
      'it takes one age for all': asking(
        (ask) =>
          ({ maxAgeMs: _, ...options } = {}) =>
            ask(options),
      ),
      'it never reads anew at once': asking(
        (ask) =>
          ({ maxAgeMs = 10_000, ...options } = {}) =>
            ask({ ...options, maxAgeMs: Math.max(maxAgeMs, 1) }),
      ),
      'who names no age gets the last reading': asking((ask) => {
        let last: Promise<Summary> | undefined;
        return (options = {}) => (last !== undefined && options.maxAgeMs === undefined ? last : (last = ask(options)));
      }),
    },
    'leaves out a pod without a running container': {
      'it does not see the end of a container': () => ({ endContainer: () => undefined }),
      'the reduced form has it still': asking((ask) => async (options = {}) => {
        const { node, pods } = await ask(options);
        const podRef = { name: 'web', namespace: 'ns', uid: 'uid-web' };
        return { node, pods: options.onlyCpuAndMemory === true ? [{ podRef, startTime: '', containers: [] }] : pods };
      }),
    },
    'lets one who asks go, and answers the others': {
      'nobody can go': asking((ask) => () => ask()),
      'it gives another reason than the signal': refusing('cancelled'),
      'the others go too': asksOnce,
    },
    'rejects while the node cannot be read, and no longer': {
      'it answers with what it has': asking((ask) => (options) => ask(options).catch(() => empty)),
      'the reduced form answers with what it has': asking(
        (ask) => (options) => (options?.onlyCpuAndMemory === true ? ask(options).catch(() => empty) : ask(options)),
      ),
      'it says nothing of a failure': refusing('no statistics'),
      'it remembers the failure': asksOnce,
    },
  },
);
