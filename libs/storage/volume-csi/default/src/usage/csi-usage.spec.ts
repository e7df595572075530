import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MeasuredUsage } from '@podwright/volume-interface';
import { VolumeUsage_Unit as units } from '@podwright/volume-csi-interface';
import { CsiHarness, never } from '../fixtures/csi-harness.js';

const bytes = { unit: units.BYTES, available: 3n, total: 10n, used: 7n };
const inodes = { unit: units.INODES, available: 1n, total: 5n, used: 4n };
const numbers = {
  ...{ availableBytes: 3, capacityBytes: 10, usedBytes: 7 },
  ...{ inodesFree: 1, inodes: 5, inodesUsed: 4 },
};
const abnormal = { abnormal: true, message: 'bad sectors' };

describe('usage of CSI volumes', () => {
  let csi: CsiHarness;
  beforeEach(async () => {
    csi = await CsiHarness.create();
    csi.driver.capabilities.add('GET_VOLUME_STATS').add('VOLUME_CONDITION');
  });
  const usage = (): MeasuredUsage => {
    const { usage: found } = csi.plugin().newMounter(csi.claimed());
    if (typeof found !== 'object' || !('measure' in found)) throw new Error('the driver must be asked');
    return found;
  };

  it('is what the driver says, of bytes and inodes', async () => {
    csi.driver.stats = { usage: [bytes, inodes, { ...bytes, unit: units.UNKNOWN }], volumeCondition: abnormal };
    expect(usage().metricSource).toBe('disks.example.com');
    expect(await usage().measure(never)).toEqual(numbers);
    expect(csi.driver.requestOf('nodeGetVolumeStats')).toEqual({
      volumeId: 'vol-1',
      volumePath: `${csi.podDir}/volumes/kubernetes.io~csi/pv-1/mount`,
    });
    expect(csi.events).toEqual([]);
  });

  it('of a block device is that of its link', async () => {
    const mapper = csi.plugin().block?.newMapper(csi.claimed());
    csi.driver.stats = { usage: [bytes], volumeCondition: undefined };
    if (typeof mapper?.usage !== 'object' || !('measure' in mapper.usage)) throw new Error('the driver must be asked');
    await mapper.usage.measure(never);
    expect(csi.driver.requestOf('nodeGetVolumeStats')).toMatchObject({
      volumePath: `${mapper.globalMapPath}/uid-1`,
    });
  });

  it('is not supported by every driver', async () => {
    csi.driver.capabilities.delete('GET_VOLUME_STATS');
    await expect(usage().measure(never)).rejects.toMatchObject({
      code: 'unimplemented',
      message: 'metrics are not supported for disks.example.com volumes',
    });
  });

  it('must be there unless the driver tells the condition', async () => {
    await expect(usage().measure(never)).rejects.toThrow('failed to get usage from response. usage is nil');
    csi.options = { ...csi.options, volumeHealth: true };
    expect(await usage().measure(never)).toEqual({ abnormal: false });
  });

  it('comes with the condition where the gate allows and the driver can, and an event each time', async () => {
    csi.options = { ...csi.options, volumeHealth: true };
    csi.driver.stats = { usage: [bytes, inodes], volumeCondition: abnormal };
    expect(await usage().measure(never)).toEqual({ ...numbers, abnormal: true });
    await usage().measure(never);
    const event = 'Warning VolumeConditionAbnormal Volume data: bad sectors';
    expect(csi.events).toEqual([event, event]);
    csi.driver.capabilities.delete('VOLUME_CONDITION');
    expect(await usage().measure(never)).toEqual(numbers);
  });
});
