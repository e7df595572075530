import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { KUBELET_SERVER } from '@podwright/server-interface';
import { HttpServer, serverNeeds } from './http-server.js';
import { serverConfig } from './server-config.js';

export const serverModule = defineModule({
  name: '@podwright/server',
  provides: [KUBELET_SERVER],
  needs: serverNeeds,
  config: serverConfig,
  create: (deps, config) => new HttpServer(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createHttpServer = factoryOf(serverModule);
