import { describe, expect, it } from '@jest/globals';
import type { CsiNode } from '@podwright/kube-types';
import { foreignOwner, isInitialized, newCsiNode, withDriver, withoutDriver } from './csi-node-object.js';

const node = { metadata: { name: 'n1', uid: 'u1' } };
const entry = { name: 'a.csi', nodeId: 'id', topologyKeys: [], count: undefined };
// As a real API server stores what newCsiNode makes.
const empty = { ...newCsiNode(node), spec: { drivers: null } } as unknown as CsiNode;

describe('a CSINode', () => {
  it('without drivers may have null for them', () => {
    const next = withDriver(empty, entry);
    expect(next?.spec.drivers).toEqual([{ name: 'a.csi', nodeID: 'id', topologyKeys: [] }]);
    expect(withoutDriver(empty, 'a.csi')).toBeUndefined();
  });

  it('does not differ when a driver has null for its topology keys', () => {
    const drivers = [{ name: 'a.csi', nodeID: 'id', topologyKeys: null }];
    expect(withDriver({ ...empty, spec: { drivers } } as unknown as CsiNode, entry)).toBeUndefined();
  });

  it('keeps other drivers, and loses the last one', () => {
    const both = withDriver(withDriver(empty, entry) as CsiNode, { ...entry, name: 'b.csi' }) as CsiNode;
    expect(both.spec.drivers.map(({ name }) => name)).toEqual(['a.csi', 'b.csi']);
    const one = withoutDriver(both, 'a.csi') as CsiNode;
    expect(withoutDriver(one, 'b.csi')?.spec.drivers).toEqual([]);
  });

  it('is initialized for its Node only, with all migrated plugins', () => {
    expect(isInitialized(empty, node)).toBe(true);
    expect(foreignOwner(empty, { metadata: { name: 'n1', uid: 'u2' } })).toBe('u1');
    expect(foreignOwner({ ...empty, metadata: { name: 'n1' } }, node)).toBe('');
    expect(isInitialized({ ...empty, metadata: { ...empty.metadata, annotations: {} } }, node)).toBe(false);
  });
});
