import { describe, expect, it } from '@jest/globals';
import { createImageVolumePlugin } from './image-volume.js';

describe('image volumes', () => {
  const plugin = createImageVolumePlugin();

  it('are recognised, and nothing else is', () => {
    expect(plugin.canSupport({ name: 'v', image: { reference: 'busybox' } })).toBe(true);
    expect(plugin.canSupport({ name: 'v', emptyDir: {} })).toBe(false);
  });

  it('have no path on the node, nothing to make and nothing to take down', async () => {
    const pod = { metadata: {}, spec: { containers: [] } };
    const mounter = plugin.newMounter({ volume: { name: 'v', image: {} }, pod, podDir: '/nowhere' });
    await mounter.setUp(new AbortController().signal);
    expect(mounter).toMatchObject({ hostPath: '', readOnly: true, managed: false, selinuxRelabel: false });
    await expect(plugin.tearDown('/nowhere', 'v')).resolves.toBeUndefined();
  });
});
