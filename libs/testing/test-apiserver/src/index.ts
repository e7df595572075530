export { createTestApiServer } from './test-api-server.js';
export type { TestApiServer, TestApiServerOptions } from './test-api-server.js';
export type { ApiListener } from './listener/api-listener.js';
export type { HttpsListenerOptions } from './listener/https-listener.js';
export type { ApiUser } from './http/api-request.js';
export type { AuditEntry, RequestLog } from './audit/request-log.js';
export type { Fault, FaultMatch } from './faults/fault.js';
export type { Faults } from './faults/faults.js';
export type { OpenStreams } from './faults/open-streams.js';
