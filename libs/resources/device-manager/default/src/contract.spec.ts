import { afterEach } from '@jest/globals';
import { describeDeviceManagerContract } from '@podwright/device-manager-interface/contract';
import { cleanHarnesses, createDeviceHarness } from './fixtures/device-harness.js';

afterEach(cleanHarnesses);

describeDeviceManagerContract('PluginDeviceManager', () => createDeviceHarness());
