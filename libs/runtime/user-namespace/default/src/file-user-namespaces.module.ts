import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { FileUserNamespaces } from './file-user-namespaces.js';
import { fileUserNamespacesConfigSchema } from './file-user-namespaces-config.js';
import { RUN_PROGRAM, runProgram } from './host-program.js';

export const fileUserNamespacesModule = defineModule({
  name: '@podwright/user-namespace',
  provides: [USER_NAMESPACES],
  requires: [RUNTIME_STATE, LOGGER],
  config: fileUserNamespacesConfigSchema,
  register: (container) => {
    container.register(RUN_PROGRAM, { useValue: runProgram });
    container.registerSingleton(FileUserNamespaces);
    container.register(USER_NAMESPACES, { useToken: FileUserNamespaces }); // alias: both names give one instance
  },
});
