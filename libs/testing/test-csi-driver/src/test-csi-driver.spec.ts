import { afterEach, describe, expect, it } from '@jest/globals';
import { DriverKubelet } from './fixtures/driver-kubelet.js';
import { nodeMethods } from './fixtures/generated/client-codecs.js';
import type { TestCsiDriverOptions } from './test-csi-driver-options.js';

const open: DriverKubelet[] = [];
async function startDriver(options: Partial<TestCsiDriverOptions> = {}): Promise<DriverKubelet> {
  const kubelet = await DriverKubelet.create(options);
  open.push(kubelet);
  return kubelet;
}

afterEach(async () => {
  for (const kubelet of open.splice(0)) await kubelet.remove();
});

describe('TestCsiDriver', () => {
  it('says what it is and what it can', async () => {
    const kubelet = await startDriver({ nodeId: 'n1', topology: { zone: 'a' }, maxVolumes: 7 });
    expect(await kubelet.call(nodeMethods.nodeGetInfo, {})).toEqual({
      nodeId: 'n1',
      maxVolumesPerNode: 7n,
      accessibleTopology: { segments: { zone: 'a' } },
    });
    kubelet.driver.capabilities = ['VOLUME_MOUNT_GROUP'];
    const { capabilities } = await kubelet.call(nodeMethods.nodeGetCapabilities, {});
    expect(capabilities).toEqual([{ rpc: { type: 6 } }]);
  });

  it('refuses requests as the protocol demands', async () => {
    const kubelet = await startDriver({ capabilities: ['GET_VOLUME_STATS'], unknownVolumes: 'refuse' });
    await expect(kubelet.stage('v1')).rejects.toMatchObject({ code: 'unimplemented' });
    const noTarget = kubelet.publish('v1', 'a', { targetPath: '' });
    await expect(noTarget).rejects.toMatchObject({ code: 'invalid-argument', message: 'target_path is missing' });
    await expect(kubelet.publish('v1', 'a', { volumeCapability: {} })).rejects.toMatchObject({
      code: 'invalid-argument',
    });
    await expect(kubelet.publish('v1', 'a')).rejects.toMatchObject({ code: 'not-found' });
    await expect(kubelet.stats('v1', '/')).rejects.toMatchObject({ code: 'not-found' });
    await kubelet.unpublish('v1', 'a'); // nothing to do is no failure
  });

  it('fails on purpose, before or after the work', async () => {
    const kubelet = await startDriver();
    const { driver } = kubelet;
    driver.faults.add({ type: 'status', status: 'UNAVAILABLE', message: 'later' }, { rpc: 'NodeUnpublishVolume' }, 2);
    driver.faults.add({ type: 'status', status: 'INTERNAL', done: true }, { volumeId: 'other' });
    const failed = { code: 'unavailable', message: 'later' };
    await expect(kubelet.unpublish('v1', 'a')).rejects.toMatchObject(failed);
    await expect(kubelet.unpublish('v1', 'a')).rejects.toMatchObject(failed);
    await kubelet.unpublish('v1', 'a');
    expect(driver.calls.list({ volumeId: 'v1' }).map(({ outcome }) => outcome)).toEqual([
      'UNAVAILABLE',
      'UNAVAILABLE',
      'OK',
    ]);
    expect(driver.calls.overlaps()).toEqual([]);
  });

  it('hangs until the caller gives up', async () => {
    const kubelet = await startDriver();
    kubelet.driver.faults.add({ type: 'hang' }, { rpc: 'NodeGetInfo' });
    await expect(kubelet.call(nodeMethods.nodeGetInfo, {}, 50)).rejects.toMatchObject({ code: 'deadline-exceeded' });
    await kubelet.call(nodeMethods.nodeGetInfo, {});
    expect(kubelet.driver.calls.list({ rpc: 'NodeGetInfo' })).toHaveLength(2);
  });

  it('dies without an answer and comes back at the same socket', async () => {
    const kubelet = await startDriver();
    const { driver, dir } = kubelet;
    driver.faults.add({ type: 'die', done: true }, { rpc: 'NodeUnpublishVolume' });
    await expect(kubelet.unpublish('v1', 'a')).rejects.toMatchObject({
      code: expect.stringMatching(/cancelled|unavailable/),
    });
    await driver.start(dir);
    await kubelet.unpublish('v1', 'a');
  });
});
