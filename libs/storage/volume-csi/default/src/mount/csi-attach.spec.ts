import { beforeEach, describe, expect, it } from '@jest/globals';
import { CsiHarness, never, withObjects } from '../fixtures/csi-harness.js';
import { attachmentNameOf } from './attachment.js';

const name = attachmentNameOf({ handle: 'vol-1', driver: 'disks.example.com', nodeName: 'node-1' });

describe('attached CSI volumes', () => {
  let csi: CsiHarness;
  beforeEach(async () => {
    csi = await CsiHarness.create();
  });
  const attachable = () => {
    const found = csi.plugin().attachable;
    if (found === undefined) throw new Error('it is not attachable');
    return found;
  };

  it('have an attachment by handle, driver and node', () => {
    // sha256 of vol-1disks.example.comnode-1
    expect(name).toBe('csi-823ff6d07d8b84f1050c23029f163f97f72673c99ce3b8effe2ce42c7a1a6aa6');
    expect(csi.plugin().volumeName?.(csi.claimed())).toBe('disks.example.com^vol-1');
  });

  it.each([
    [undefined, true],
    [{}, true],
    [{ attachRequired: true }, true],
    [{ attachRequired: false }, false],
  ])('are those of PersistentVolumes: CSIDriver %j says %s', (spec, expected) => {
    csi.csiDriver = spec;
    expect(attachable().canAttach(csi.claimed())).toBe(expected);
    expect(attachable().canAttach(csi.inline())).toBe(false);
  });

  it('are unknown while the CSIDriver objects are', () => {
    csi.csiDriver = 'unknown';
    expect(() => attachable().canAttach(csi.claimed())).toThrow('not synced');
  });

  it.each<[string, object, string]>([
    ['attached', { status: { attached: true } }, `resolved ${name}`],
    ['deleted', { metadata: { deletionTimestamp: 't' } }, 'volume attachment is being deleted'],
    ['failed', { status: { attached: false, attachError: { message: 'no path' } } }, 'no path'],
    ['neither', { status: { attached: false } }, `volume vol-1 is not attached for volume attachment ${name}`],
    ['empty', {}, `volume vol-1 is not attached for volume attachment ${name}`],
  ])('are checked once: %s', async (_what, object, expected) => {
    withObjects(csi, { [`volumeattachments ${name}`]: { ...object } });
    const outcome = await attachable()
      .waitForAttach(csi.claimed(), '', never)
      .then(
        (path) => `resolved ${path}`,
        (error: Error) => error.message,
      );
    expect([outcome, csi.asked]).toEqual([expected, [`volumeattachments ${name}`]]);
  });

  it('cannot be checked without their object', async () => {
    await expect(attachable().waitForAttach(csi.claimed(), '', never)).rejects.toThrow(
      `volume vol-1 has GET error for volume attachment ${name}: volumeattachments "${name}" not found`,
    );
  });

  it('are attached and detached by a controller alone', async () => {
    await expect(attachable().attach(csi.claimed(), 'node-1', never)).rejects.toThrow(
      'attaching volumes from the kubelet is not supported',
    );
    await expect(attachable().detach('disks.example.com^vol-1', 'node-1', never)).rejects.toThrow(
      'detaching volumes from the kubelet is not supported',
    );
  });
});
