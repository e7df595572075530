import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { DeliverPods, PodConfig, PodOperation, PodSource, PodUpdate } from '@podwright/pod-config-interface';
import { describePodConfigContract } from '@podwright/pod-config-interface/contract';
import type { PodConfigHarness, PodConfigParts } from '@podwright/pod-config-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (
  good: PodConfigHarness,
  parts: PodConfigParts,
) => Partial<PodConfigHarness> | Promise<Partial<PodConfigHarness>>;
type Tell = (update: PodUpdate) => void;

const broken = (replaced: (good: PodConfig) => Partial<PodConfig>): Broken => breaksIn('podConfig', replaced);
/** It tells something else. */
const telling = (change: (update: PodUpdate, tell: Tell) => void): Broken =>
  broken((good) => ({ watch: (listener) => good.watch((update) => change(update, listener)) }));
const dropping = (op: PodOperation): Broken => telling((update, tell) => (update.op === op ? undefined : tell(update)));
const renaming = (op: PodOperation, as: PodOperation): Broken =>
  telling((update, tell) => tell(update.op === op ? { ...update, op: as } : update));
const tellingPods = (op: PodOperation, change: (pod: Pod) => Pod): Broken =>
  telling((update, tell) => tell(update.op === op ? { ...update, pods: update.pods.map(change) } : update));
const annotated = ({ metadata, ...pod }: Pod, annotations: Readonly<Record<string, string | undefined>>): Pod => ({
  ...pod,
  metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } as Record<string, string> },
});
/** It tells more once a source has delivered. */
const tellingMore =
  (more: (source: PodSource) => PodUpdate): Broken =>
  async (_good, parts) => {
    let tell: Tell = () => undefined;
    const sources = parts.sources.map((reader) => ({
      ...reader,
      open: (deliver: (pods: readonly Pod[]) => void) =>
        reader.open((pods) => {
          deliver(pods);
          tell(more(reader.source));
        }),
    }));
    const { podConfig } = await createContractHarness({ ...parts, sources });
    return { podConfig: breaks(podConfig, { watch: (listener) => podConfig.watch((tell = listener)) }) };
  };
/** It takes what its sources remember for something else. */
const remembering =
  (as: 'current' | 'nothing'): Broken =>
  (_good, parts) =>
    createContractHarness({
      ...parts,
      sources: parts.sources.map((reader) => ({
        ...reader,
        open: (deliver: DeliverPods) =>
          reader.open((pods, given) => (given === 'remembered' && as === 'nothing' ? undefined : deliver(pods))),
      })),
    });
const pod: Pod = { metadata: { name: 'a', namespace: 'default', uid: 'uid-a' }, spec: { containers: [] } };
const tellsEmptyAdds = tellingMore((source) => ({ source, op: 'ADD', pods: [] }));
const tellsUpdates = tellingMore((source) => ({ source, op: 'UPDATE', pods: [pod] }));
const [source, seen] = ['kubernetes.io/config.source', 'kubernetes.io/config.seen'];

describeContractProof(
  'PodConfig',
  (create) => describePodConfigContract('a broken PodConfig', create),
  createContractHarness,
  {
    'adds pods with the annotations of their source, stamped when first seen': {
      'it drops those of the pod': tellingPods('ADD', (each) => annotated(each, { own: undefined })),
      'the source is missing': tellingPods('ADD', (each) => annotated(each, { [source]: undefined })),
      'it names another source': tellingPods('ADD', (each) => annotated(each, { [source]: 'api' })),
      'the time is that of the start': tellingPods('ADD', (each) =>
        annotated(each, { [seen]: '2026-01-01T00:00:00.000000000Z' }),
      ),
    },
    'tells REMOVE, ADD, UPDATE, DELETE and RECONCILE apart, in this order': {
      'it tells no REMOVE': dropping('REMOVE'),
      'it tells no ADD': dropping('ADD'),
      'it tells no UPDATE': dropping('UPDATE'),
      'a deletion is an UPDATE': renaming('DELETE', 'UPDATE'),
      'a new status is an UPDATE': renaming('RECONCILE', 'UPDATE'),
      'REMOVE comes late': broken((good) => ({
        watch: (listener) => {
          let late: PodUpdate | undefined;
          return good.watch((update) => {
            if (update.op === 'REMOVE') return void (late = update);
            listener(update);
            if (late !== undefined) listener(late);
            late = undefined;
          });
        },
      })),
      'pods that did not change are updates': telling((update, tell) =>
        tell(update.op === 'UPDATE' ? { ...update, pods: [...update.pods, pod] } : update),
      ),
    },
    'updates when %s changed, and keeps the time of first sight': {
      'it tells no UPDATE': dropping('UPDATE'),
      'the time moves': tellingPods('UPDATE', (each) => annotated(each, { [seen]: '2026-01-01T00:00:01.000000000Z' })),
      'it tells the pod from before': tellingPods('UPDATE', (each) => ({
        ...annotated(pod, { [source]: 'api', [seen]: each.metadata.annotations?.[seen] }),
      })),
      'it tells an UPDATE with each delivery': tellsUpdates,
    },
    'does not compare the annotations that the kubelet writes itself': {
      'it compares them': tellsUpdates,
    },
    'replaces nothing but the status on RECONCILE': {
      'it does not replace the status': tellingPods('RECONCILE', ({ status: _status, ...each }) => each),
      'it replaces the annotations': tellingPods('RECONCILE', (each) => annotated(each, { [source]: undefined })),
      'it replaces the spec': tellingPods('RECONCILE', (each) => ({ ...each, spec: { containers: [] } })),
    },
    'adds a pod that is new although it is being deleted already': {
      'it is a DELETE': renaming('ADD', 'DELETE'),
      'it is not told': dropping('ADD'),
    },
    'keeps sources apart': {
      'all is told of one source': telling((update, tell) => tell({ ...update, source: 'api' })),
      'a source removes the pods of another': telling((update, tell) => {
        tell(update);
        if (update.op === 'REMOVE') tell({ ...update, source: 'file', pods: [pod] });
      }),
      'it removes nothing': dropping('REMOVE'),
    },
    'sends an empty ADD for a first delivery without news, once': {
      'it sends none': dropping('ADD'),
      'it sends one for each delivery': tellsEmptyAdds,
    },
    'drops the later of two pods with one name, with an event': {
      'it keeps both': telling((update, tell) => tell({ ...update, pods: [...update.pods, pod] })),
      'the later replaces the first': tellingPods('ADD', (each) => ({
        ...each,
        metadata: { ...each.metadata, uid: 'uid-2' },
      })),
      'there is no event': (_good, parts) => createContractHarness({ ...parts, events: { event: () => undefined } }),
      'the event is about the first': (_good, parts) =>
        createContractHarness({
          ...parts,
          events: {
            event: (object, type, reason, message) =>
              parts.events.event(object, type, reason, message.replace('uid-2', 'uid-a')),
          },
        }),
    },
    'holds what was delivered before anybody listened': {
      'it loses that': broken((good) => ({
        watch: (listener) => {
          let listens = false;
          const unsubscribe = good.watch((update) => (listens ? listener(update) : undefined));
          listens = true;
          return unsubscribe;
        },
      })),
      'it tells what is past, too': telling((update, tell) => {
        tell({ ...update, pods: [pod] });
        tell(update);
      }),
    },
    'is ready when each source has delivered and was marked seen': {
      'it is ready at once': broken(() => ({ allSourcesReady: () => true })),
      'it is ready when all were marked': broken((good) => {
        const marked = new Set<PodSource>();
        return {
          markSeen: (each) => void marked.add(each),
          allSourcesReady: () => marked.size === 2 || good.allSourcesReady(),
        };
      }),
      'it is never ready': broken(() => ({ allSourcesReady: () => false })),
    },
    'is not ready while a source that has delivered was not marked seen': {
      'it is ready when all have delivered': broken((good) => ({
        start: async () => {
          await good.start();
          for (const each of ['file', 'api'] as const) good.markSeen(each);
        },
      })),
      'it takes no mark after the delivery': broken(() => ({ markSeen: () => undefined })),
    },
    'starts what a source remembers, but is ready only when the loop has its word, which decides': {
      'it starts nothing': dropping('ADD'),
      'it removes nothing': dropping('REMOVE'),
      'it updates nothing': dropping('UPDATE'),
      'memory is as good as a word': remembering('current'),
      'it tells of nothing': (_good, parts) => createContractHarness({ ...parts, events: { event: () => undefined } }),
      'it is ready with the delivery': broken((good) => {
        let marks = 0;
        return {
          markSeen: (each) => {
            marks += 1;
            good.markSeen(each);
          },
          watch: (listener) =>
            good.watch((update) => {
              listener(update);
              if (marks > 0) good.markSeen(update.source);
            }),
        };
      }),
      'it is never ready': broken(() => ({ allSourcesReady: () => false })),
    },
    'sends an empty ADD when a source has what it remembers': {
      'it sends none': telling((update, tell) => (update.pods.length === 0 ? undefined : tell(update))),
      'it forgets what was remembered before anybody listened': remembering('nothing'),
      'it is never ready': broken(() => ({ allSourcesReady: () => false })),
    },
    'is ready at once without sources': {
      'it waits for one': broken(() => ({ allSourcesReady: () => false })),
    },
    'stops its sources, twice if asked, and is silent afterwards': {
      'a second stop is refused': refusesSecondStop('podConfig'),
      'it leaves its sources open': (_good, parts) =>
        createContractHarness({
          ...parts,
          sources: parts.sources.map((reader) => ({ ...reader, close: () => Promise.resolve() })),
        }),
      'it tells what comes after': (_good, { sources }) =>
        breaksIn<PodConfigHarness, 'podConfig'>('podConfig', () => ({
          stop: async () => void (await Promise.all(sources.map((reader) => reader.close()))),
        }))(_good),
    },
  },
);
