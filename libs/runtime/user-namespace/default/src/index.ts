import 'reflect-metadata'; // tsyringe refuses to load without it
export { FileUserNamespaces } from './file-user-namespaces.js';
export { createFileUserNamespaces } from './create-file-user-namespaces.js';
export type { FileUserNamespacesDeps } from './create-file-user-namespaces.js';
export { FILE_USER_NAMESPACES_CONFIG, fileUserNamespacesConfigSchema } from './file-user-namespaces-config.js';
export type { FileUserNamespacesConfig } from './file-user-namespaces-config.js';
export type { ProgramResult, RunProgram } from './host-program.js';
export { fileUserNamespacesModule } from './file-user-namespaces.module.js';
