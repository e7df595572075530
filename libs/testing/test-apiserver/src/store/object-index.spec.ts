import { describe, expect, it } from '@jest/globals';
import type { ApiObject } from '@podwright/api-machinery';
import { ObjectStore } from './object-store.js';

const owned = (...owners: readonly string[]): ApiObject => ({
  metadata: { ownerReferences: owners.map((uid) => ({ apiVersion: 'v1', kind: 'Node', name: uid, uid })) },
});
const ownersOf = ({ metadata }: ApiObject): readonly string[] => (metadata.ownerReferences ?? []).map(({ uid }) => uid);

describe('an index of the store', () => {
  it('follows the writes, knows what was there before it, and hears of them before the listeners', () => {
    const store = new ObjectStore({ historyLength: 10 });
    store.put('pods', 'n/a', owned('x'));
    const index = store.index(ownersOf);
    const keys = (uid: string): readonly string[] => index.find(uid).map(({ resource, key }) => `${resource} ${key}`);
    expect(keys('x')).toEqual(['pods n/a']);
    const seen: (readonly string[])[] = [];
    store.watch(() => seen.push(keys('y')));
    store.put('secrets', 'n/a', owned('x', 'y'));
    store.put('pods', 'n/a', owned('y'));
    store.remove('secrets', 'n/a');
    expect(seen).toEqual([['secrets n/a'], ['secrets n/a', 'pods n/a'], ['pods n/a']]);
    expect([index.count('x'), index.count('y')]).toEqual([0, 1]);
    expect(index.find('y')[0]?.object).toBe(store.get('pods', 'n/a'));
  });

  it('is one for each function, and may be of one resource', () => {
    const store = new ObjectStore({ historyLength: 10 });
    expect(store.index(ownersOf, 'pods')).toBe(store.index(ownersOf, 'pods'));
    store.put('secrets', 'n/a', owned('x'));
    store.put('pods', 'n/a', owned('x'));
    expect([store.index(ownersOf, 'pods').count('x'), store.index(ownersOf).count('x')]).toEqual([1, 2]);
  });
});
