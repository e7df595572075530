import 'reflect-metadata'; // tsyringe refuses to load without it

export { createLocalNode, LocalNode } from './local-node.js';
export type { LocalNodeDeps } from './local-node.js';
export { LOCAL_NODE_CONFIG, localNodeConfigSchema } from './local-node-config.js';
export type { LocalNodeConfig, NodeTaint } from './local-node-config.js';
export { localNodeModule } from './local-node.module.js';
export { initialNode } from './initial-node.js';
export type { RuntimeFacts } from './initial-node.js';
export { nodeAllocatable, nodeReservation } from './node-allocatable.js';
export type { ReservationOptions } from './node-allocatable.js';
export { nodeCapacity } from './node-capacity.js';
export type { CapacityOptions } from './node-capacity.js';

export { ApiNode, createApiNode } from './api-node.js';
export type { ApiNodeDeps } from './api-node.js';
export { apiNodeModule } from './api-node.module.js';
export { ApiNodeStatusReporter, createApiNodeStatusReporter } from './report/api-node-status-reporter.js';
export type { ApiNodeStatusReporterDeps } from './report/api-node-status-reporter.js';
export { nodeStatusReporterModule } from './report/api-node-status-reporter.module.js';
export { REPORTER_CONFIG, reporterConfigSchema } from './report/reporter-config.js';
export type { ReporterConfig } from './report/reporter-config.js';
export { HOST_NETWORK, readHostNetwork } from './addresses/host-network.js';
export type { DefaultRoute, HostNetwork, InterfaceAddress } from './addresses/host-network.js';
export { nodeAddresses, nodeIpFault } from './addresses/node-addresses.js';
export type { AddressOptions } from './addresses/node-addresses.js';
export { parseNodeIps } from './addresses/node-ip-flag.js';
export type { NodeIps } from './addresses/node-ip-flag.js';
