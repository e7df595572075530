export { USER_NAMESPACES } from './user-namespaces.js';
export type { UserNamespaces } from './user-namespaces.js';
