import { describe, expect, it } from '@jest/globals';
import { DeviceInventory } from './device-inventory.js';

describe('lists of a plugin', () => {
  it('change what is healthy, and tell what has changed', () => {
    const inventory = new DeviceInventory();
    const replace = (...devices: [string, string][]): readonly string[] =>
      inventory.replace(
        'r',
        devices.map(([id, health]) => ({ id, health, numaNodes: [] })),
      );
    expect(replace(['a', 'Healthy'], ['b', 'healthy'])).toEqual(['a', 'b']);
    expect([[...inventory.healthy('r')], inventory.unhealthyCount('r')]).toEqual([['a'], 1]);
    expect(replace(['b', 'healthy'], ['a', 'Sick'])).toEqual(['a']);
    expect(replace(['a', 'Sick'])).toEqual([]);
    expect(replace(['a', 'Healthy'], ['b', 'Healthy'], ['b', 'Sick'])).toEqual(['a', 'b']);
    expect([[...inventory.healthy('r')], inventory.unhealthyCount('r')]).toEqual([['a'], 1]);
    inventory.markUnhealthy('r');
    expect([inventory.healthy('r').size, inventory.unhealthyCount('r')]).toEqual([0, 2]);
    expect(inventory.device('r', 'a')?.health).toBe('Healthy');
  });
});
