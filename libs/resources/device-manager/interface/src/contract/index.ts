export { describeDeviceManagerContract } from './device-manager-contract.js';
export type {
  DeviceManagerHarness,
  FakeDevice,
  FakeDevicePlugin,
  FakeDevicePluginOptions,
} from './device-manager-contract.js';
export { podWithDevices } from './pod-with-devices.js';
