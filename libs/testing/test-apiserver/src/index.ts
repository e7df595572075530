export { createTestApiServer } from './test-api-server.js';
export type { ApiUser, TestApiServer, TestApiServerOptions } from './test-api-server.js';
