import 'reflect-metadata'; // tsyringe refuses to load without it
import { afterEach } from '@jest/globals';
import { describeDeviceManagerContract } from '@podwright/device-manager-interface/contract';
import { cleanBenches, createBench } from './fixtures/bench.js';

afterEach(cleanBenches);

describeDeviceManagerContract('PluginDeviceManager', () => createBench());
