import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { Node } from '@podwright/kube-types';
import type { NodeSource, NodeStatusReporter, RegisteredNode } from '@podwright/node-status-interface';
import {
  describeNodeSourceContract,
  describeNodeStatusReporterContract,
  describeRegisteredNodeContract,
  type NodeSourceHarness,
  type NodeStatusReporterHarness,
  type RegisteredNodeHarness,
} from '@podwright/node-status-interface/contract';
import { contractHarnesses } from './fixtures/contract-harness.js';

type Broken<Harness> = (good: Harness) => Partial<Harness>;

const { source, registered, reporter } = contractHarnesses();
const unreachable = (): Promise<never> => Promise.reject(new KubeletError('no answer', { code: 'unavailable' }));
const fails = (): never => {
  throw new Error('not started');
};

const ofSource = (replaced: (good: NodeSource) => Partial<NodeSource>): Broken<NodeSourceHarness> =>
  breaksIn('source', replaced);
const getting = (change: (node: Node) => Node): Broken<NodeSourceHarness> =>
  ofSource((good) => ({ getNode: () => change(good.getNode()) }));
const withoutPods = ({ pods: _, ...resources }: Readonly<Record<string, string>> = {}): Record<string, string> =>
  resources;

describeContractProof('NodeSource', (create) => describeNodeSourceContract('a broken NodeSource', create), source, {
  'can be stopped before it was started, and twice': {
    'a second stop is refused': refusesSecondStop('source'),
  },
  'knows nothing about the node before its start, and says so': {
    'it makes one up': ofSource(() => ({ getNode: () => ({ metadata: { name: 'n1' } }) })),
    'its error has no code': ofSource(() => ({ getNode: fails })),
  },
  'gives a node of the right name with labels, capacity and allocatable': {
    'it has another name': getting((node) => ({ ...node, metadata: { ...node.metadata, name: 'n2' } })),
    'it has no labels': getting((node) => ({ ...node, metadata: { name: 'n1' } })),
    'it has room for no pods': getting((node) => ({
      ...node,
      status: { ...node.status, capacity: withoutPods(node.status?.capacity) },
    })),
    'no pods are allowed': getting((node) => ({
      ...node,
      status: { ...node.status, allocatable: withoutPods(node.status?.allocatable) },
    })),
  },
  'says which features the node declares, sorted, at any time': {
    'it says so once it is started': ofSource(() => ({ declaredFeatures: fails })),
    'they are in another order': ofSource(() => ({ declaredFeatures: () => ['Second', 'First'] })),
    'the start puts them in another order': ofSource((good) => {
      let features = ['First', 'Second'];
      return {
        declaredFeatures: () => features,
        start: () => {
          features = ['Second', 'First'];
          return good.start();
        },
      };
    }),
  },
  'fetches the same node, and a fetch ends with its signal': {
    'it fetches another': ofSource(() => ({ fetchNode: async () => ({ metadata: { name: 'n2' } }) })),
    'it does not look at the signal': ofSource((good) => ({
      fetchNode: () => good.fetchNode(new AbortController().signal),
    })),
    'it gives another reason than the signal': ofSource((good) => ({
      fetchNode: (signal) => good.fetchNode(signal).catch(unreachable),
    })),
  },
});

const ofRegistered = (replaced: (good: RegisteredNode) => Partial<RegisteredNode>): Broken<RegisteredNodeHarness> =>
  breaksIn('registered', replaced);
/** One that shows another Node than it has; `last` is what it showed before. */
const showing = (
  change: (node: Node | undefined, last: Node | undefined) => Node | undefined,
): Broken<RegisteredNodeHarness> =>
  ofRegistered((good) => {
    let last: Node | undefined;
    return { current: () => (last = change(good.current(), last)) };
  });
const telling = (change: (node: Node | undefined) => readonly (Node | undefined)[]): Broken<RegisteredNodeHarness> =>
  ofRegistered((good) => ({ watch: (listener) => good.watch((node) => change(node).forEach(listener)) }));

describeContractProof(
  'RegisteredNode',
  (create) => describeRegisteredNodeContract('a broken RegisteredNode', create),
  registered,
  {
    'knows nothing before it has asked, then that there is none': {
      'it says that it knows before it has asked': ofRegistered(() => ({ hasSynced: () => true })),
      'it never says that it knows': ofRegistered(() => ({ hasSynced: () => false })),
      'it makes one up': showing(() => ({ metadata: { name: 'n1' } })),
      'who waits for its knowledge waits for ever': ofRegistered(() => ({
        synced: () => new Promise(() => undefined),
      })),
    },
    'shows the Node that comes, changes, goes and comes again': {
      'it shows none': showing(() => undefined),
      'it shows no change': showing((node, last) => (node === undefined ? node : (last ?? node))),
      'one that is gone stays': showing((node, last) => node ?? last),
      'it tells nobody': telling(() => []),
      'it tells all twice': telling((node) => [node, node]),
      'it does not tell that one is gone': telling((node) => (node === undefined ? [] : [node])),
    },
    'tells no more to who does not listen any more': {
      'nobody can leave': ofRegistered((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => undefined;
        },
      })),
    },
    'starts without an API server and keeps what it knew while the server is away': {
      'the start fails': ofRegistered(() => ({ start: unreachable })),
      'it says that it knows before it has asked': ofRegistered(() => ({ hasSynced: () => true })),
      'who waits for its knowledge gets it at once': ofRegistered(() => ({ synced: () => Promise.resolve() })),
      'it gives up': ({ registered: node, setReachable }) => ({
        setReachable: (reachable) => {
          if (reachable) void node.stop();
          setReachable(reachable);
        },
      }),
      'it forgets what it knew': ({ registered: node, setReachable }) => {
        let away = false;
        return {
          registered: breaks(node, { current: () => (away ? undefined : node.current()) }),
          setReachable: (reachable) => {
            away = !reachable;
            setReachable(reachable);
          },
        };
      },
      'a second stop is refused': refusesSecondStop('registered'),
    },
  },
);

const ofReporter = (
  replaced: (good: NodeStatusReporter) => Partial<NodeStatusReporter>,
): Broken<NodeStatusReporterHarness> => breaksIn('reporter', replaced);
const reporting =
  (change: (node: Node) => Node): Broken<NodeStatusReporterHarness> =>
  (good) => ({
    node: async () => {
      const node = await good.node();
      return node && change(node);
    },
  });
const isUnwell = ofReporter(() => ({ healthy: () => ({ ok: false, reason: 'no answer' }) }));
const claimsToBeRegistered = ofReporter(() => ({ registered: () => true }));
const seesNoProblem: Broken<NodeStatusReporterHarness> = () => ({ setProblem: () => undefined });

describeContractProof(
  'NodeStatusReporter',
  (create) => describeNodeStatusReporterContract('a broken NodeStatusReporter', create),
  reporter,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('reporter'),
      'its health cannot be asked for': ofReporter(() => ({ healthy: fails })),
      'it cannot be asked for a report': ofReporter(() => ({ requestUpdate: fails })),
    },
    'registers the node, with resources and conditions, Ready as the last': {
      'it registers none': ofReporter(() => ({ start: () => Promise.resolve() })),
      'it claims to have registered it before': claimsToBeRegistered,
      'it is not healthy': isUnwell,
      'the node has another name': reporting((node) => ({ ...node, metadata: { ...node.metadata, name: 'n2' } })),
      'the node has no labels': reporting((node) => ({ ...node, metadata: { name: 'n1' } })),
      'no pods are allowed': reporting((node) => ({
        ...node,
        status: { ...node.status, allocatable: withoutPods(node.status?.allocatable) },
      })),
      'Ready is the first': reporting((node) => ({
        ...node,
        status: { ...node.status, conditions: (node.status?.conditions ?? []).toReversed() },
      })),
    },
    'tells of a problem in its next round, and at once when asked to': {
      'it does not tell of a problem': seesNoProblem,
      'it does not tell at once': ofReporter(() => ({ requestUpdate: () => undefined })),
      'it tells after the stop': ofReporter(() => ({ stop: () => Promise.resolve() })),
    },
    'starts without an API server, registers when it comes, and outlives that it goes': {
      'the start fails': ofReporter(() => ({ start: unreachable })),
      'it claims to have registered the node before': claimsToBeRegistered,
      'it is always healthy': ofReporter(() => ({ healthy: () => ({ ok: true }) })),
      'it is never healthy': isUnwell,
      'it gives up': (good) => ({
        setReachable: (reachable) => {
          if (reachable) void good.reporter.stop();
          good.setReachable(reachable);
        },
      }),
      'it takes the node for one that is not registered when the server goes': ofReporter((good) => ({
        registered: () => good.registered() && good.healthy().ok,
      })),
      'it does not tell what happened meanwhile': seesNoProblem,
    },
  },
);
