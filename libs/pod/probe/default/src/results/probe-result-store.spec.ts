import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { VolatilePodCheckpoints } from '@podwright/pod-checkpoint-interface/contract';
import type { ProbeKind } from '@podwright/probe-interface';
import { checkpointedResultsPart } from './checkpointed-results.js';
import { ProbeResultStore } from './probe-result-store.js';

const owner = (container: string, id: string, podUid = 'u1') => ({
  podUid,
  container,
  containerId: `containerd://${id}`,
});

describe('the store of results', () => {
  const written: string[] = [];
  let checkpoints: PodCheckpoints;
  let store: ProbeResultStore;
  const heard: string[] = [];
  const create = (): ProbeResultStore =>
    new ProbeResultStore({
      checkpoints,
      statuses: {
        setContainerReadiness: (_: string, id: string, ready: boolean) => void written.push(`readiness ${id} ${ready}`),
        setContainerStartup: (_: string, id: string, good: boolean) => void written.push(`startup ${id} ${good}`),
      } as never,
    });
  const set = (kind: ProbeKind, of: ReturnType<typeof owner>, result: 'success' | 'failure', signal?: AbortSignal) =>
    store.set(kind, of, result, signal ?? new AbortController().signal);
  const kept = (podUid = 'u1') => checkpoints.read(podUid, checkpointedResultsPart);

  beforeEach(() => {
    [written.length, heard.length] = [0, 0];
    checkpoints = new VolatilePodCheckpoints();
    store = create();
    store.watch(({ kind, containerId, result }) => heard.push(`${kind} ${containerId} ${result}`));
  });

  it('tells each change once, statuses the results of readiness and startup, the disk all but liveness', async () => {
    for (const kind of ['liveness', 'readiness', 'startup'] as const) {
      await set(kind, owner('app', 'c1'), 'success');
      await set(kind, owner('app', 'c1'), 'success');
    }
    expect(heard).toEqual(['liveness c1 success', 'readiness c1 success', 'startup c1 success']);
    expect(written).toEqual(['readiness containerd://c1 true', 'startup containerd://c1 true']);
    const result = { containerId: 'c1', result: 'success' };
    expect(kept()).toEqual({ app: { readiness: result, startup: result } });
  });

  it('tells nobody of a result whose worker has ended meanwhile', async () => {
    const stopping = new AbortController();
    const set1 = set('readiness', owner('app', 'c1'), 'success', stopping.signal);
    stopping.abort();
    await set1;
    expect([heard, written, store.get('readiness', 'c1')]).toEqual([[], [], undefined]);
  });

  it('removes what is asked for, and leaves the rest of the pod on the disk', async () => {
    for (const name of ['a', 'b']) {
      for (const kind of ['liveness', 'readiness', 'startup'] as const) await set(kind, owner(name, name), 'success');
    }
    store.remove('liveness', owner('a', 'a'));
    expect(Object.keys(kept()?.['a'] ?? {})).toEqual(['readiness', 'startup']);
    store.remove('readiness', owner('a', 'other'));
    expect(Object.keys(kept()?.['a'] ?? {})).toEqual(['readiness', 'startup']);
    store.remove('readiness', owner('a', 'a'));
    expect(Object.keys(kept()?.['a'] ?? {})).toEqual(['startup']);
    expect([store.get('readiness', 'a'), store.get('startup', 'a')]).toEqual([undefined, 'success']);
    store.remove('startup', owner('a', 'a'));
    store.remove('startup', owner('never', 'x', 'u9'));
    expect(Object.keys(kept() ?? {})).toEqual(['b']);
    store.remove('readiness', owner('b', 'b'));
    store.remove('startup', owner('b', 'b'));
    expect(checkpoints.podUids()).toEqual([]);
  });

  it('keeps only the results of the container that is there', async () => {
    for (const kind of ['liveness', 'readiness'] as const) await set(kind, owner('app', 'c1'), 'success');
    store.keepOnly('readiness', owner('app', 'c1'));
    store.keepOnly('liveness', owner('app', 'c2'));
    store.keepOnly('startup', owner('app', 'c2'));
    store.keepOnly('readiness', owner('other', 'c2'));
    store.keepOnly('readiness', owner('app', 'c2', 'u2'));
    expect([store.get('liveness', 'c1'), store.get('readiness', 'c1')]).toEqual(['success', 'success']);
    store.keepOnly('readiness', owner('app', 'c2'));
    expect([store.get('readiness', 'c1'), kept()]).toEqual([undefined, undefined]);
  });

  it('loads what an earlier kubelet kept, and forgets pods that are gone', async () => {
    await set('readiness', owner('a', 'a', 'u1'), 'failure');
    await set('startup', owner('b', 'b', 'u2'), 'success');
    store = create();
    store.load();
    expect([store.get('readiness', 'a'), store.get('startup', 'b')]).toEqual(['failure', 'success']);
    store.retain(new Set(['u2']));
    expect([store.get('readiness', 'a'), store.get('startup', 'b')]).toEqual([undefined, 'success']);
    expect(checkpoints.podUids()).toEqual(['u2']);
  });
});

it.each<[unknown, unknown]>([
  [undefined, undefined],
  ['text', undefined],
  [{}, {}],
  [{ app: 7 }, {}],
  [{ app: { startup: 'text', other: {} } }, { app: {} }],
  [{ app: { readiness: { containerId: 7, result: 'success' } } }, { app: {} }],
  [{ app: { readiness: { containerId: '', result: 'success' } } }, { app: {} }],
  [{ app: { readiness: { containerId: 'c', result: 'good' } } }, { app: {} }],
  ...['success', 'failure', 'unknown'].map((result): [unknown, unknown] => {
    const value = { app: { readiness: { containerId: 'c', result }, startup: { containerId: 'd', result } } };
    return [value, value];
  }),
])('what the disk says, %j, means %j', (json, expected) => {
  expect(checkpointedResultsPart.decode(json as never)).toEqual(expected);
});
