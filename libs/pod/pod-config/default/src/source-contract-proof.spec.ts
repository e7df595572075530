import { breaksIn, describeContractProof } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { PodSourceReader } from '@podwright/pod-config-interface';
import { describePodSourceContract, type PodSourceHarness } from '@podwright/pod-config-interface/contract';
import { httpSourceHarness } from './fixtures/source-harnesses.js';

type Broken = (good: PodSourceHarness) => Partial<PodSourceHarness>;
type Deliver = (pods: readonly Pod[]) => void;

const broken = (replaced: (good: PodSourceReader) => Partial<PodSourceReader>): Broken => breaksIn('source', replaced);
/** One that delivers something else. */
const delivering = (change: (pods: readonly Pod[], deliver: Deliver) => void): Broken =>
  broken((good) => ({ open: (deliver) => good.open((pods) => change(pods, deliver)) }));
const deliveringPods = (change: (pod: Pod) => Pod): Broken => delivering((pods, deliver) => deliver(pods.map(change)));
const nothing = broken(() => ({ open: async () => undefined }));
const emptyFirst = broken((good) => ({
  open: (deliver) => {
    deliver([]);
    return good.open(deliver);
  },
}));
/** Its looks find nothing: it delivers an empty set instead. */
const emptyWhenBroken: Broken = (good) => {
  let deliver: Deliver = () => undefined;
  return {
    source: { ...bound(good.source), open: (given) => good.source.open((deliver = given)) },
    breakDown: async () => {
      await good.breakDown();
      deliver([]);
    },
  };
};
const bound = (source: PodSourceReader): PodSourceReader => ({
  source: source.source,
  open: (deliver) => source.open(deliver),
  close: () => source.close(),
});

describeContractProof(
  'PodSourceReader',
  (create) => describePodSourceContract('a broken PodSourceReader', create),
  httpSourceHarness,
  {
    'delivers first all pods that are there': {
      'it delivers part of them before': delivering((pods, deliver) => {
        deliver(pods.slice(1));
        deliver(pods);
      }),
    },
    'delivers an empty set when there are none': {
      'it delivers none': delivering((pods, deliver) => {
        if (pods.length > 0) deliver(pods);
      }),
    },
    'delivers all pods after each change, and leaves earlier sets alone': {
      'it delivers the first set only': (() => {
        let first = true;
        return delivering((pods, deliver) => {
          if (first) deliver(pods);
          first = false;
        });
      })(),
      'it delivers its one list again': (() => {
        const list: Pod[] = [];
        return delivering((pods, deliver) => {
          list.splice(0, list.length, ...pods);
          deliver(list);
        });
      })(),
    },
    'delivers a pod with what has changed in it': {
      'it loses labels': deliveringPods(({ metadata: { labels: _labels, ...metadata }, ...pod }) => ({
        ...pod,
        metadata,
      })),
    },
    'delivers pods with their defaults': {
      'the restart policy is missing': deliveringPods(({ spec: { restartPolicy: _policy, ...spec }, ...pod }) => ({
        ...pod,
        spec,
      })),
      'the uid is missing': deliveringPods(({ metadata: { uid: _uid, ...metadata }, ...pod }) => ({
        ...pod,
        metadata,
      })),
    },
    'delivers nothing while it cannot be read, so that pods keep running': {
      'it delivers an empty set': emptyWhenBroken,
    },
    'delivers nothing before it could be read': {
      'it delivers an empty set': emptyFirst,
      'it never delivers': nothing,
    },
    'is closed for good, and leaves no timer': {
      'it goes on': broken(() => ({ close: async () => undefined })),
      'it leaves a timer': (good) => ({ pendingTimers: () => good.pendingTimers() + 1 }),
    },
    'can be closed before it was opened': {
      'it cannot': broken(() => ({ close: () => Promise.reject(new Error('not open')) })),
    },
  },
);
