import { describeVolumePluginContract } from '@podwright/volume-interface/contract';
import { CsiHarness } from './fixtures/csi-harness.js';

describeVolumePluginContract('CSI', async () => {
  const csi = await CsiHarness.create();
  csi.csiDriver = { volumeLifecycleModes: ['Ephemeral'], fsGroupPolicy: 'None' };
  return { plugin: csi.plugin(), spec: csi.inline(), restart: () => csi.plugin(), mountedAt: 'mount' };
});
