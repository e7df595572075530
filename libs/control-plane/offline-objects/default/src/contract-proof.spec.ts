import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { OfflineCopy, OfflineObjects } from '@podwright/offline-objects-interface';
import {
  describeOfflineObjectsContract,
  type OfflineObjectsHarness,
} from '@podwright/offline-objects-interface/contract';
import { createHarness } from './fixtures/contract-harness.js';

type Broken = (good: OfflineObjectsHarness) => Partial<OfflineObjectsHarness>;
type Replaced = (good: OfflineObjects) => Partial<OfflineObjects>;

const broken = (replaced: Replaced): Broken => breaksIn('offlineObjects', replaced);
/** Only the next process is broken. */
const restarted =
  (replaced: Replaced): Broken =>
  ({ restart }) => ({
    restart: async () => {
      const next = await restart();
      return breaks(next, replaced(next));
    },
  });
const losing: Replaced = () => ({ get: async () => undefined, list: async () => [] });
const copy: OfflineCopy<never> = {
  ref: { kind: 'Secret', namespace: 'x', name: 'x' },
  object: {} as never,
  savedAtMs: 1,
};
const waiting = (replaced: (away: OfflineObjects['away']) => OfflineObjects['away']): Broken =>
  broken((good) => ({ away: replaced((...asked) => good.away(...asked)) }));
const never = new Promise<never>(() => undefined);

describeContractProof(
  'OfflineObjects',
  (create) => describeOfflineObjectsContract('a broken OfflineObjects', create),
  createHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('offlineObjects'),
    },
    'has nothing at first': {
      'there is an object': broken(() => ({ get: async () => copy })),
      'there is one in the list': broken(() => ({ list: async () => [copy] })),
      'there is the name of one': broken(() => ({ refs: () => [copy.ref] })),
    },
    'gives what it keeps at once, and in the next process': {
      'it keeps nothing': broken(() => ({ keep: () => undefined })),
      'it has it only when it is written': broken((good) => {
        let flushed = false;
        return {
          get: async (ref) => (flushed ? good.get(ref) : undefined),
          flushed: async () => {
            flushed = true;
            await good.flushed();
          },
        };
      }),
      'the next process has nothing': restarted(losing),
      'it does not say when': restarted((good) => ({
        get: async <T>(ref: OfflineCopy['ref']) => {
          const found = await good.get<T>(ref);
          return found && { ...found, savedAtMs: 0 };
        },
      })),
    },
    'keeps the newest content, taken when it is written': {
      'it keeps the first': broken((good) => {
        let kept = false;
        return {
          keep: (ref, object) => {
            if (!kept) good.keep(ref, object);
            kept = true;
          },
        };
      }),
      'it takes the content at once': broken((good) => ({
        keep: (ref, object) =>
          good.keep(ref, structuredClone(typeof object === 'function' ? (object as () => object)() : object)),
      })),
    },
    'forgets at once, and in the next process': {
      'it forgets nothing': broken(() => ({ forget: () => undefined })),
      'the name stays': broken((good) => {
        const names = new Set<OfflineCopy['ref']>();
        return {
          keep: (ref, object) => {
            names.add(ref);
            good.keep(ref, object);
          },
          refs: () => [...names],
        };
      }),
      'the next process still has it': restarted((good) => ({
        get: async <T>(ref: OfflineCopy['ref']) => (await good.get<T>(ref)) ?? copy,
      })),
      'the next process still lists it': restarted((good) => ({
        list: async <T>(kind: OfflineCopy['ref']['kind']) => [...(await good.list<T>(kind)), copy],
      })),
    },
    'tells objects apart by kind, namespace and name, and lists one kind in order': {
      'the kind does not count': broken((good) => ({
        keep: (ref, object) => good.keep({ ...ref, kind: 'Secret' }, object),
      })),
      'the namespace does not count': broken((good) => ({
        keep: (ref, object) => good.keep({ ...ref, namespace: '' }, object),
      })),
      'the order is another one': restarted((good) => ({
        list: async <T>(kind: OfflineCopy['ref']['kind']) => (await good.list<T>(kind)).toReversed(),
      })),
      'the names are in another order': restarted((good) => ({ refs: (kind) => good.refs(kind).toReversed() })),
      'the list has other kinds': restarted((good) => ({
        refs: (kind) => [...good.refs(kind), ...(kind === 'ConfigMap' ? good.refs('Secret') : [])],
      })),
    },
    'bears use of what it has forgotten, and twice': {
      'use keeps it': broken((good) => ({
        use: (copies) => copies.forEach(({ ref, object }) => good.keep(ref, object as object)),
      })),
      'there is nothing to use': broken(losing),
    },
    'knows that the server is away when there is no answer for a while': {
      'it never knows': waiting(() => () => never),
      'it knows at once': waiting(() => async () => true),
      'it thinks that there was an answer': waiting(
        (away) =>
          async (...asked) =>
            !(await away(...asked)),
      ),
    },
    'does not take a refusal for absence, nor an answer that comes late': {
      'a refusal is absence': waiting(
        (away) =>
          async (...asked) =>
            !(await away(...asked)),
      ),
      'it asks once': waiting((away) => (synced, signal) => {
        let first: Promise<void> | undefined;
        return away((given) => (first ??= synced(given)), signal);
      }),
      'it is away before the answer': waiting(() => async () => true),
    },
    'stops to wait for an answer at the signal': {
      'it goes on': waiting((away) => (synced) => away(synced, new AbortController().signal)),
      'it says that the server is away': waiting(
        (away) =>
          async (...asked) =>
            !(await away(...asked)),
      ),
    },
  },
);
