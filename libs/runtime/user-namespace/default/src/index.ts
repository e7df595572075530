export { FileUserNamespaces, userNamespacesNeeds } from './file-user-namespaces.js';
export type { UserNamespacesNeeds } from './file-user-namespaces.js';
export { fileUserNamespacesConfigSchema } from './file-user-namespaces-config.js';
export type { FileUserNamespacesConfig } from './file-user-namespaces-config.js';
export { createFileUserNamespaces, fileUserNamespacesModule } from './file-user-namespaces.module.js';
export { userNamespaceHousekeepingModule } from './user-namespace-housekeeping.module.js';
