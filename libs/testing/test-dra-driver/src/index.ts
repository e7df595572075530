export { TestDraDriver } from './test-dra-driver.js';
export type { ContainerEdits, DeviceHealthText, TestDraDevice } from './test-dra-device.js';
export type { DraServiceName, TestDraDriverOptions } from './test-dra-driver-options.js';
export type { DraCall, DraFault, DraFaultMatch, DraFaults } from './faults/dra-faults.js';
export { dRAResourceHealthMethods as draHealthMethods } from './generated/dra-health-server-codecs.js';
export { draPluginMethods } from './service/dra-plugin-methods.js';
