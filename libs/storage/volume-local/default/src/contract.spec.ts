import { describeVolumePluginContract } from '@podwright/volume-interface/contract';
import { createEmptyDirHarness } from './fixtures/plugin-harness.js';

describeVolumePluginContract('emptyDir', createEmptyDirHarness);
