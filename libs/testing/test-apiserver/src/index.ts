export { createTestApiServer } from './test-api-server.js';
export type { TestApiServer, TestApiServerOptions } from './test-api-server.js';
export type { ApiUser } from './http/api-request.js';
