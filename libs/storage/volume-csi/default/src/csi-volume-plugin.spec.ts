import { beforeEach, describe, expect, it } from '@jest/globals';
import { CsiHarness } from './fixtures/csi-harness.js';

describe('the plugin of CSI volumes', () => {
  let csi: CsiHarness;
  beforeEach(async () => {
    csi = await CsiHarness.create();
  });

  it('supports PersistentVolumes and inline volumes', () => {
    const plugin = csi.plugin();
    const { volume, persistentVolume } = csi.claimed();
    expect(plugin.canSupport(volume, persistentVolume)).toBe(true);
    expect(plugin.canSupport(csi.inline().volume)).toBe(true);
    expect(plugin.canSupport(volume)).toBe(false);
    expect(plugin.canSupport(volume, { spec: { nfs: { server: 's', path: '/' } } })).toBe(false);
    expect(plugin.supportsMountOptions).toBe(true);
  });

  it.each([
    [undefined, false],
    [{}, false],
    [{ requiresRepublish: true, seLinuxMount: true }, true],
    [{ requiresRepublish: false, seLinuxMount: false }, false],
  ])('asks CSIDriver %j about republishing and labels: %s', (spec, expected) => {
    csi.csiDriver = spec;
    const { requiresRemount, supportsSeLinuxMount } = csi.plugin();
    if (typeof requiresRemount !== 'function') throw new Error('it is decided by volume');
    expect([requiresRemount(csi.inline()), requiresRemount(csi.claimed())]).toEqual([expected, expected]);
    expect(supportsSeLinuxMount?.(csi.claimed())).toBe(expected);
  });

  it('republishes nothing while the CSIDriver objects are unknown', () => {
    csi.csiDriver = 'unknown';
    const { requiresRemount, supportsSeLinuxMount } = csi.plugin();
    expect(typeof requiresRemount === 'function' && requiresRemount(csi.claimed())).toBe(false);
    expect(() => supportsSeLinuxMount?.(csi.claimed())).toThrow('not synced');
  });
});
