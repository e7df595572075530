import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { SERVER_AUTH } from '@podwright/server-auth-interface';
import { delegatingServerAuthConfigSchema } from './delegating-server-auth-config.js';
import { DelegatingServerAuth, serverAuthNeeds } from './delegating-server-auth.js';

export const serverAuthModule = defineModule({
  name: '@podwright/server-auth',
  provides: [SERVER_AUTH],
  needs: serverAuthNeeds,
  config: delegatingServerAuthConfigSchema,
  create: (deps, config) => new DelegatingServerAuth(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` naming the wrong option and value. */
export const createDelegatingServerAuth = factoryOf(serverAuthModule);
