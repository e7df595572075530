import { describeVolumePluginContract } from '@podwright/volume-interface/contract';
import { LocalHarness } from './fixtures/local-harness.js';

describeVolumePluginContract('a local volume', async () => {
  const harness = await LocalHarness.create();
  return { plugin: harness.plugin(), spec: harness.spec(), restart: () => harness.plugin() };
});
