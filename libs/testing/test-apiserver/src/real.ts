export { missingProgram, RealApiServer } from './cases/real-api-server.js';
