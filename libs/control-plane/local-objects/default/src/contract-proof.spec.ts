import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type {
  LocalCommit,
  LocalObject,
  LocalObjectChange,
  LocalObjects,
  LocalOperation,
  LocalTransaction,
} from '@podwright/local-objects-interface';
import {
  describeLocalObjectsContract,
  VolatileLocalObjects,
  type LocalObjectsHarness,
  type VolatileDisk,
} from '@podwright/local-objects-interface/contract';
import { formatRfc3339 } from '@podwright/time';

type Broken = (good: LocalObjectsHarness) => Partial<LocalObjectsHarness>;
type Replaced = (good: LocalObjects) => Partial<LocalObjects>;

// One without a disk: what a kill takes is easily said, and nothing takes time.
async function create(): Promise<LocalObjectsHarness> {
  let nowMs = Date.UTC(2026, 0, 1);
  let last = new VolatileLocalObjects();
  const open = async (disk: VolatileDisk): Promise<VolatileLocalObjects> => {
    last = new VolatileLocalObjects(disk);
    last.now = formatRfc3339(nowMs);
    await last.start();
    return last;
  };
  return {
    localObjects: await open(last.disk),
    kill: () => open({ ...last.disk, objects: new Map(last.disk.objects) }),
    passTime: async (ms) => {
      nowMs += ms;
      last.now = formatRfc3339(nowMs);
    },
  };
}

const before = (replaced: Replaced): Broken => breaksIn('localObjects', replaced);
const afterKill =
  (replaced: Replaced): Broken =>
  ({ kill }) => ({
    kill: async () => {
      const next = await kill();
      return breaks(next, replaced(next));
    },
  });
const always =
  (replaced: Replaced): Broken =>
  (good) => ({ ...before(replaced)(good), ...afterKill(replaced)(good) });

const killTakesAll: Broken = () => ({
  kill: async () => {
    const next = new VolatileLocalObjects();
    await next.start();
    return next;
  },
});

/** Commits that differ in their transaction, or in their answer. */
const committing = (
  change: (transaction: LocalTransaction, good: LocalObjects) => LocalTransaction,
  answer: (commit: LocalCommit) => LocalCommit = (commit) => commit,
): Broken =>
  always((good) => ({
    commit: async (transaction) =>
      answer(await good.commit(() => change(typeof transaction === 'function' ? transaction() : transaction, good))),
  }));
const operating = (change: (operation: LocalOperation, good: LocalObjects) => LocalOperation | []): Broken =>
  committing((transaction, good) => transaction.flatMap((operation) => change(operation, good)));
const answering = (answer: (commit: LocalCommit) => LocalCommit): Broken => committing((given) => given, answer);
const without = <T extends object>(object: T, ...names: readonly string[]): T =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) as T;
/** All that readers see of objects. */
const seeing = (see: (object: LocalObject) => LocalObject): Replaced => {
  const look = see as <T>(object: T) => T;
  return (good) => ({
    get: (kind, namespace, name) => {
      const found = good.get(kind, namespace, name);
      return found && look(found);
    },
    list: (kind) => ({ ...good.list(kind), items: good.list(kind).items.map(look) }),
    commit: async (transaction) => {
      const commit = await good.commit(transaction);
      return { ...commit, objects: commit.objects.map(look) };
    },
  });
};
const withMetadata = (object: LocalObject, metadata: object): LocalObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});
const ignoring = (...conditions: readonly string[]): Broken =>
  operating((operation) => without(operation, ...conditions));
/** Each operation is a transaction of its own. */
const piecemeal = always((good) => ({
  commit: async (transaction) => {
    let last: LocalCommit = { objects: [], changes: [], resourceVersion: '' };
    for (const operation of typeof transaction === 'function' ? transaction() : transaction) {
      last = await good.commit([operation]);
    }
    return last;
  },
}));
const refusing = (replaced: (error: KubeletError) => Error): Broken =>
  always((good) => ({
    commit: (transaction) => good.commit(transaction).catch((error: KubeletError) => Promise.reject(replaced(error))),
  }));
const noRemovals = operating((operation) => ('remove' in operation ? [] : operation));
const settings = (name: string): LocalOperation => ({
  kind: 'ConfigMap',
  put: { metadata: { namespace: 'default', name } },
});
/** The next process finds an object that was not there, or was removed. */
const killAdds: Broken = ({ kill }) => ({
  kill: async () => {
    const next = await kill();
    await next.commit([settings('a'), settings('c')]);
    return next;
  },
});
const killForgetsVersion: Broken = ({ kill }) => ({
  kill: async () => {
    const { disk } = (await kill()) as VolatileLocalObjects;
    const next = new VolatileLocalObjects({ ...disk, resourceVersion: '1' });
    await next.start();
    return next;
  },
});
const listing = (order: (items: readonly LocalObject[]) => readonly LocalObject[]): Replaced => {
  const arranged = order as <T>(items: readonly T[]) => readonly T[];
  return (good) => ({ list: (kind) => ({ ...good.list(kind), items: arranged(good.list(kind).items) }) });
};
const sortedBy = (key: (object: LocalObject) => string | undefined): Replaced =>
  listing((items) => [...items].sort((a, b) => ((key(a) ?? '') < (key(b) ?? '') ? -1 : 1)));
const since = (
  replaced: (changes: readonly LocalObjectChange[] | undefined) => readonly LocalObjectChange[] | undefined,
): Replaced => {
  const change = replaced as <T>(changes: T) => T;
  return (good) => ({ since: (kind, version) => change(good.since(kind, version)) });
};
const renamed = (rename: (name: string) => string): Broken =>
  always((good) => ({
    get: (kind, namespace, name) => good.get(kind, namespace, rename(name)),
    commit: (transaction) =>
      good.commit(
        (transaction as LocalTransaction).map((operation) => {
          if ('remove' in operation)
            return { ...operation, remove: { ...operation.remove, name: rename(operation.remove.name) } };
          const name = rename(operation.put.metadata?.name ?? '');
          return { ...operation, put: withMetadata(operation.put, { name }) } as LocalOperation;
        }),
      ),
  }));

describeContractProof('LocalObjects', (make) => describeLocalObjectsContract('broken LocalObjects', make), create, {
  'has nothing at first': {
    'it begins with version 0': before((good) => ({ list: (kind) => ({ ...good.list(kind), resourceVersion: '0' }) })),
    'it gets something': before(() => ({ get: () => ({}) as never })),
    'it knows where it is from': before(() => ({ originOf: () => '/etc/objects' })),
  },
  'stores an object as it is, with the metadata that are the store’s': {
    'it takes the UID that is given': always(seeing((object) => withMetadata(object, { uid: 'mine' }))),
    'it takes the time that is given': always(
      seeing((object) => withMetadata(object, { creationTimestamp: '2020-01-01T00:00:00Z' })),
    ),
    'a kill takes it': killTakesAll,
    'it has no kind': always(seeing((object) => without(object, 'kind'))),
    'it loses labels': always(seeing((object) => withMetadata(object, { labels: {} }))),
    'it answers with something else': answering((commit) => ({ ...commit, objects: [] })),
    'it has no generation': always(seeing((object) => withMetadata(object, { generation: undefined }))),
  },
  'keeps kinds and namespaces apart': {
    'all kinds are one': always((good) => ({
      get: (kind, namespace, name) => good.get(kind === 'Pod' ? 'ConfigMap' : kind, namespace, name) as never,
    })),
    'all namespaces are one': always((good) => ({ get: (kind, _namespace, name) => good.get(kind, 'default', name) })),
    'a list has all kinds': always((good) => ({
      list: (kind) => ({
        ...good.list(kind),
        items: [...good.list(kind).items, ...good.list('ConfigMap').items] as never,
      }),
    })),
  },
  'replaces an object: its UID and time stay, its version grows': {
    'each put makes a new one': committing(
      (transaction, good) =>
        transaction.flatMap((operation) =>
          good.get('ConfigMap', 'default', 'a') === undefined
            ? operation
            : [{ kind: 'ConfigMap', remove: { namespace: 'default', name: 'a' } }, operation],
        ),
      (commit) => ({ ...commit, objects: commit.objects.slice(-1) }),
    ),
    'the time is that of the last change': always(
      seeing((object) => withMetadata(object, { creationTimestamp: object.metadata?.resourceVersion })),
    ),
    'the version stays': always(seeing((object) => withMetadata(object, { resourceVersion: '2' }))),
    'a kill brings the old one back': afterKill(seeing((object) => ({ ...object, data: { k: '1' } }))),
  },
  'does not count a put that changes nothing': {
    'it counts each put': operating((operation, good) =>
      'put' in operation
        ? ({
            ...operation,
            put: withMetadata(operation.put, { labels: { n: good.list('Pod').resourceVersion } }),
          } as LocalOperation)
        : operation,
    ),
    'it answers with nothing': answering((commit) =>
      commit.changes.length === 0 ? { ...commit, objects: [] } : commit,
    ),
    'it compares values as quantities': operating((operation, good) => {
      if (!('put' in operation) || operation.kind !== 'ConfigMap') return operation;
      const stored = good.get('ConfigMap', 'default', 'a');
      return stored?.data?.['divisor'] === '1' ? { ...operation, put: stored } : operation;
    }),
  },
  'counts the generations of a pod: its specs, and the beginning of its end': {
    'there is one': always(seeing((object) => withMetadata(object, { generation: 1 }))),
    'all changes count': always(
      seeing((object) => withMetadata(object, { generation: Number(object.metadata?.resourceVersion) - 1 })),
    ),
    'the end does not count': always(
      seeing((object) => withMetadata(object, { generation: Math.min(2, object.metadata?.generation ?? 0) })),
    ),
    'config maps have some': always(
      seeing((object) => (object.kind === 'Pod' ? object : withMetadata(object, { generation: 1 }))),
    ),
  },
  'removes an object for good, and makes a new one of that name': {
    'it removes nothing': noRemovals,
    'it answers with the object as it was': answering((commit) => ({
      ...commit,
      objects: commit.objects.map((object, index) => commit.changes[index]?.previous ?? object),
    })),
    'it still gets it': before((good) => {
      let last: LocalObject | undefined;
      return { get: (...asked) => (last = good.get(...asked) ?? last ?? ({} as LocalObject)) as never };
    }),
    'it comes back with the next process': killAdds,
    'the new one has the old UID': always(seeing((object) => withMetadata(object, { uid: 'uid' }))),
  },
  'refuses %s, and all of its transaction': {
    'it says it in other words': refusing((error) => new KubeletError('refused', { code: error.code })),
    'it has another code': refusing((error) => new KubeletError(error.message, { code: 'unknown' })),
    'it does the rest': piecemeal,
    'it gives the rest versions': before((good) => ({
      list: (kind) => ({ ...good.list(kind), resourceVersion: String(Number(good.list(kind).resourceVersion) + 2) }),
    })),
    'the next process does the rest': killAdds,
  },
  'refuses a put that must be new, and all of its transaction': { 'it does it': ignoring('mustNotExist') },
  'refuses a put over a version, and all of its transaction': { 'it does it': ignoring('expectedResourceVersion') },
  'refuses a put over a UID, and all of its transaction': { 'it does it': ignoring('expectedUid') },
  'refuses a removal of a UID, and all of its transaction': { 'it does it': ignoring('expectedUid') },
  'refuses a removal of a version, and all of its transaction': { 'it does it': ignoring('expectedResourceVersion') },
  'refuses a removal of an unknown object, and all of its transaction': { 'it does it': noRemovals },
  'refuses a put over a version of an unknown object, and all of its transaction': {
    'it does it': ignoring('expectedResourceVersion'),
  },
  'lets an operation pass whose condition holds': {
    'it refuses to create': operating((operation) =>
      'mustNotExist' in operation ? { ...operation, expectedUid: 'x' } : operation,
    ),
    'it refuses a version': operating((operation) =>
      'expectedResourceVersion' in operation ? { ...operation, expectedResourceVersion: 'x' } : operation,
    ),
    'it refuses a UID': operating((operation) =>
      'expectedUid' in operation ? { ...operation, expectedUid: 'x' } : operation,
    ),
  },
  'carries out operations in their order': {
    'it removes first': committing((transaction) =>
      [...transaction].sort((a, b) => Number('put' in a) - Number('put' in b)),
    ),
    'it knows nothing of what was before': answering((commit) => ({
      ...commit,
      changes: commit.changes.map((change) => without(change, 'previous')),
    })),
    'a removal and a put change the object': answering((commit) => ({
      ...commit,
      objects: commit.objects.map((object) => withMetadata(object, { uid: 'uid-1' })),
    })),
    'it tells the last change of each object': answering((commit) => ({ ...commit, changes: commit.changes.slice(2) })),
    'the next process has what was removed': killAdds,
  },
  'shows a function the state that its transaction will change': {
    'it calls it at once': before((good) => ({
      commit: async (transaction) => good.commit(typeof transaction === 'function' ? transaction() : transaction),
    })),
    'it hides its error': refusing(() => new Error('it has failed')),
    'it does nothing after an error': before((good) => {
      let failed: Promise<LocalCommit> | undefined;
      return {
        commit: (transaction) =>
          failed ??
          good.commit(transaction).catch((error: Error) => {
            failed = Promise.reject(error);
            return failed;
          }),
      };
    }),
  },
  'lets one of two writers win who have read the same version': {
    'the last wins': ignoring('expectedResourceVersion'),
    'both lose': operating((operation) =>
      'expectedResourceVersion' in operation ? { ...operation, expectedResourceVersion: 'x' } : operation,
    ),
    'the loser is told something else': refusing((error) => new KubeletError(error.message, { code: 'unknown' })),
  },
  'shows nothing before it is sure to stay': {
    'it lists at once': before((good) => {
      let early: readonly unknown[] = [];
      return {
        commit: async (transaction) => {
          early = transaction as LocalTransaction;
          return good.commit(transaction).finally(() => (early = []));
        },
        list: (kind) => ({ ...good.list(kind), items: [...good.list(kind).items, ...early] as never }),
      };
    }),
    'it lists nothing': before(listing(() => [])),
  },
  'never gives a version twice, whatever is removed or killed': {
    'a removal has none': before((good) => ({
      list: (kind) => ({ ...good.list(kind), resourceVersion: '2' }),
    })),
    'a kill takes it back': killForgetsVersion,
  },
  'lists in the order of creation, then by namespace and name': {
    'it lists by name': always(sortedBy((object) => object.metadata?.name)),
    'it lists by namespace and name': always(
      sortedBy((object) => `${object.metadata?.namespace} ${object.metadata?.name}`),
    ),
    'it lists by change': always(sortedBy((object) => object.metadata?.resourceVersion)),
    'it lists as files come': afterKill(listing((items) => [...items].reverse())),
  },
  'tells watchers of each change, when all of the transaction can be seen': {
    'it tells nothing': before(() => ({ watch: () => () => undefined })),
    'it tells all twice': before((good) => ({
      watch: (listener) =>
        good.watch((change) => {
          listener(change);
          listener(change);
        }),
    })),
    'it goes on for ever': before((good) => ({
      watch: (listener) => {
        good.watch(listener);
        return () => undefined;
      },
    })),
    'it does one operation after the other': piecemeal,
    'it tells without versions': before((good) => ({
      watch: (listener) => good.watch((change) => listener({ ...change, resourceVersion: '0' })),
    })),
  },
  'knows the latest changes of a kind after a version': {
    'it knows nothing': before(since(() => [])),
    'it says of all that it is too old': before(since(() => undefined)),
    'it says of nothing that it is too old': before(since((changes) => changes ?? [])),
    'it knows all kinds': before((good) => ({
      since: (_kind, version) => {
        const [maps, pods] = [good.since('ConfigMap', version), good.since('Pod', version)];
        return maps && pods && ([...maps, ...pods] as never);
      },
    })),
    'it tells the newest first': before(since((changes) => changes && [...changes].reverse())),
    'it knows one change': before(since((changes) => changes?.slice(-1))),
    'the next process knows all': afterKill((good) => ({ since: (kind, version) => good.since(kind, version) ?? [] })),
    'the next process knows nothing, not even the present': afterKill(since(() => undefined)),
  },
  'takes the namespace %j and the name %j': {
    'it refuses them': before(() => ({ commit: () => Promise.reject(new Error('not a name')) })),
    'it cuts names': renamed((name) => name.slice(0, -1) || 'x'),
    'it removes nothing': noRemovals,
    'a kill takes them': killTakesAll,
    'the next process lists other names': afterKill(
      seeing((object) => withMetadata(object, { name: `_${object.metadata?.name}` })),
    ),
  },
  'keeps values, not objects': {
    'it keeps the object': before((good) => {
      let kept: unknown;
      return {
        commit: (transaction) => {
          const [operation] = transaction as LocalTransaction;
          kept = operation !== undefined && 'put' in operation ? operation.put : kept;
          return good.commit(transaction);
        },
        get: () => kept as never,
      };
    }),
  },
  'can be stopped twice, has then done all commits, and takes no more': {
    'a second stop is refused': refusesSecondStop('localObjects'),
    'it goes on': before(() => ({ stop: () => Promise.resolve() })),
    'it drops what waits': before(() => {
      let stopped = false;
      return {
        stop: async () => void (stopped = true),
        commit: () =>
          stopped ? Promise.reject(new KubeletError('stopped', { code: 'unavailable' })) : new Promise(() => undefined),
      };
    }),
    'it does not answer': before((good) => {
      let calls = 0;
      return {
        commit: async (transaction) => {
          const commit = await good.commit(transaction);
          return ++calls === 2 ? new Promise<never>(() => undefined) : commit;
        },
      };
    }),
  },
});
