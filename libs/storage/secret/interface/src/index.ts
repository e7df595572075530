export { SECRET_MANAGER } from './secret-manager.js';
export type { SecretManager } from './secret-manager.js';
