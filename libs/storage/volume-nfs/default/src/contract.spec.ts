import { describeVolumePluginContract } from '@podwright/volume-interface/contract';
import { NfsHarness } from './fixtures/nfs-harness.js';

describeVolumePluginContract('an NFS volume', async () => {
  const harness = await NfsHarness.create();
  return { plugin: harness.plugin(), spec: harness.spec(), restart: () => harness.plugin() };
});
