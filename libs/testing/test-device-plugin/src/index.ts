export { RegistrationSocket } from './registration-socket.js';
export type { RegistrationSocketOptions } from './registration-socket.js';
export { TestDevicePlugin } from './test-device-plugin.js';
export type { TestDevice, TestDevicePluginOptions } from './test-device-plugin.js';
