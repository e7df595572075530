import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { PodCheckpoints, PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { describePodCheckpointsContract, VolatilePodCheckpoints } from '@podwright/pod-checkpoint-interface/contract';
import type { PodCheckpointsHarness } from '@podwright/pod-checkpoint-interface/contract';

type Broken = (good: PodCheckpointsHarness) => Partial<PodCheckpointsHarness>;

// One without a disk: what a kill takes is easily said, and nothing takes time.
async function create(): Promise<PodCheckpointsHarness> {
  let last = new VolatilePodCheckpoints();
  return { podCheckpoints: last, kill: async () => (last = last.restarted()) };
}

const before = (replaced: (good: PodCheckpoints) => Partial<PodCheckpoints>): Broken =>
  breaksIn('podCheckpoints', replaced);
const afterKill =
  (replaced: (good: PodCheckpoints) => Partial<PodCheckpoints>): Broken =>
  ({ kill }) => ({
    kill: async () => {
      const next = await kill();
      return breaks(next, replaced(next));
    },
  });
const always =
  (replaced: (good: PodCheckpoints) => Partial<PodCheckpoints>): Broken =>
  (good) => ({ ...before(replaced)(good), ...afterKill(replaced)(good) });
const any = (name: string): PodCheckpointPart<unknown> => ({ name, decode: (json) => json });

const killTakesAll: Broken = () => ({ kill: async () => new VolatilePodCheckpoints() });
const listsNothing = (): Partial<PodCheckpoints> => ({ podUids: () => [] });
const removesNothing = always(() => ({ remove: () => Promise.resolve() }));
const keepsParts = before((good) => ({
  write: (podUid, part, value) => (value === undefined ? Promise.resolve() : good.write(podUid, part, value)),
}));
const stillLists = before((good) => {
  let listed = good.podUids();
  return {
    write: (podUid, part, value) => {
      listed = [podUid];
      return good.write(podUid, part, value);
    },
    podUids: () => listed,
  };
});
const neverWrites = before(() => ({ write: () => new Promise(() => undefined) }));
const comesBack: Broken = ({ kill }) => ({
  kill: async () => {
    const next = await kill();
    await next.write('uid', any('probes'), { count: 1 });
    return next;
  },
});

describeContractProof(
  'PodCheckpoints',
  (make) => describePodCheckpointsContract('broken PodCheckpoints', make),
  create,
  {
    'knows nothing at first': {
      'it reads something': before(() => ({ read: (_podUid, part) => part.decode({ count: 0 }) })),
      'it lists a pod': before(() => ({ podUids: () => ['uid'] })),
    },
    'reads at once what was written, and after a kill what it has promised': {
      'it reads only what is on the disk': before((good) => ({
        write: async (podUid, part, value) => {
          await Promise.resolve();
          await good.write(podUid, part, value);
        },
      })),
      'it lists only pods of an earlier process': before(listsNothing),
      'a kill takes what was promised': killTakesAll,
      'it lists no pods of an earlier process': afterKill(listsNothing),
    },
    'keeps the parts of a pod, and the pods, apart': {
      'a pod has one part': always((good) => ({
        read: (podUid, part) => good.read(podUid, { ...part, name: 'part' }),
        write: (podUid, part, value) => good.write(podUid, { ...part, name: 'part' }, value),
      })),
      'pods share their parts': always((good) => ({
        read: (_podUid, part) => good.read('a', part),
        write: (_podUid, part, value) => good.write('a', part, value),
      })),
      'a part cannot be removed': keepsParts,
      'all parts are removed with one': before((good) => ({
        write: (podUid, part, value) => (value === undefined ? good.remove(podUid) : good.write(podUid, part, value)),
      })),
      'it lists one pod': afterKill(() => ({ podUids: () => ['a'] })),
    },
    'lets the last of many calls win, and fulfils each of them': {
      'the first one wins': before((good) => ({
        write: async (podUid, part, value) => {
          if (good.podUids().length === 0) await good.write(podUid, part, value);
        },
      })),
      'a call that was overtaken stays open': before((good) => {
        let calls = 0;
        return {
          write: async (podUid, part, value) => {
            await good.write(podUid, part, value);
            if (++calls === 25) await new Promise(() => undefined);
          },
        };
      }),
    },
    'fulfils a call for what is being written by another one only when it is written': {
      'there is nothing to write for it': before(() => {
        let calls = 0;
        return { write: () => (calls++ === 0 ? new Promise(() => undefined) : Promise.resolve()) };
      }),
    },
    'has no checkpoint of a pod whose last part is gone': {
      'the last part cannot be removed': keepsParts,
      'it lists the pod all the same': stillLists,
      'the pod comes back with the next process': comesBack,
    },
    'forgets a pod at once and for good': {
      'remove does nothing': removesNothing,
      'it reads what is still on the disk': before((good) => ({
        remove: async (podUid) => {
          await Promise.resolve();
          await good.remove(podUid);
        },
      })),
      'it lists the pod all the same': stillLists,
      'a write that was under way ends later': before((good) => ({
        write: async (podUid, part, value) => {
          if (part.name === 'hooks') await Promise.resolve();
          await good.write(podUid, part, value);
        },
      })),
      'it rejects for an unknown pod': before((good) => ({
        remove: (podUid) => (podUid === 'uid' ? good.remove(podUid) : Promise.reject(new Error('unknown pod'))),
      })),
      'the pod comes back with the next process': comesBack,
    },
    'keeps anew what comes after it was told to forget': {
      'remove takes that, too': before((good) => ({
        remove: async (podUid) => {
          await good.remove(podUid);
          await good.remove(podUid);
        },
      })),
      'what was forgotten comes back with it': removesNothing,
    },
    'has none of a part whose owner %s what was kept, and all of the others': {
      'it does not ask the owner': before((good) => ({
        read: <T>(podUid: string, part: PodCheckpointPart<T>) => good.read(podUid, any(part.name)) as T,
      })),
      'the others are lost with it': before((good) => ({
        read: (podUid, part) => (part.name === 'hooks' ? undefined : good.read(podUid, part)),
      })),
    },
    'has none of a part whose owner throws what was kept, and all of the others': {
      'read throws': before((good) => ({
        read: (podUid, part) => part.decode(good.read(podUid, any(part.name))),
      })),
    },
    'keeps values, not objects': {
      'it keeps the object': before(() => {
        let kept: unknown;
        return {
          write: async (_podUid, _part, value) => void (kept = value),
          read: (_podUid, part) => part.decode(kept),
        };
      }),
    },
    'takes the UID %j, and any text': {
      'it refuses the UID': before(() => ({ write: () => Promise.reject(new Error('not a UID')) })),
      'it lists another UID': afterKill((good) => ({ podUids: () => good.podUids().map((podUid) => `_${podUid}`) })),
      'it loses a line break': afterKill((good) => ({
        read: (podUid, part) => part.decode(String(good.read(podUid, any(part.name))).replace('\n', ' ')),
      })),
      'remove does nothing': removesNothing,
    },
    'can be stopped twice, and has then written everything': {
      'a second stop is refused': refusesSecondStop('podCheckpoints'),
      'it drops what waits to be written': neverWrites,
    },
  },
);
