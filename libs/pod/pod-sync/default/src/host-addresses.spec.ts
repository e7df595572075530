import { describe, expect, it } from '@jest/globals';
import type { Node } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { HostAddresses } from './host-addresses.js';

const nodeWith = (...addresses: readonly string[]): Node => ({
  status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
});

describe('HostAddresses', () => {
  const setUp = (first: Node) => {
    let node = first;
    const listeners: ((node: Node | undefined) => void)[] = [];
    const synced: string[] = [];
    const addresses = new HostAddresses(
      {
        node: { getNode: () => node },
        registeredNode: { watch: (listener) => (listeners.push(listener), () => undefined) },
        workQueue: { enqueue: (uid, delayMs) => void synced.push(`${uid} ${delayMs}`) },
        logger: createMemoryLogger(),
      },
      { hasApiServer: true },
    );
    const change = (next: Node | undefined): void => {
      if (next !== undefined) node = next;
      for (const listener of listeners) listener(next);
    };
    return { addresses, change, synced, listeners };
  };

  it('syncs the pods that show others than the Node has now', () => {
    const { addresses, change, synced, listeners } = setUp(nodeWith('192.0.2.1'));
    addresses.of('one');
    addresses.of('two');
    change(nodeWith('192.0.2.1'));
    expect(synced).toEqual([]);
    change(nodeWith('192.0.2.1', '2001:db8::1'));
    expect(synced).toEqual(['one 0', 'two 0']);
    expect(addresses.of('one')).toEqual(['192.0.2.1', '2001:db8::1']);
    synced.length = 0;
    change(nodeWith('192.0.2.1', '2001:db8::1'));
    expect(synced).toEqual(['two 0']);
    expect(listeners).toHaveLength(1);
  });

  it('syncs no pod that has gone, that showed none, or for a Node without addresses', () => {
    const { addresses, change, synced } = setUp(nodeWith());
    expect(addresses.of('early')).toEqual([]);
    change(nodeWith('192.0.2.1'));
    addresses.of('gone');
    addresses.forget('gone');
    addresses.of('there');
    change(nodeWith());
    change(undefined);
    expect(synced).toEqual([]);
    change(nodeWith('192.0.2.2'));
    expect(synced).toEqual(['there 0']);
  });
});
