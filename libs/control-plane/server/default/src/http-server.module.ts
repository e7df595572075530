import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { SERVING_CERTIFICATE } from '@podwright/cert-rotation-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { PROBE_METRICS } from '@podwright/probe-interface';
import { SERVER_AUTH } from '@podwright/server-auth-interface';
import { KUBELET_SERVER } from '@podwright/server-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { TRACER } from '@podwright/tracing-interface';
import { KubeletEndpoints } from './endpoints/kubelet-endpoints.js';
import { HttpServer } from './http-server.js';
import { serverConfig } from './server-config.js';

export const serverModule = defineModule({
  name: '@podwright/server',
  provides: [KUBELET_SERVER],
  requires: [POD_MANAGER, STATUS_MANAGER, BOOTSTRAP, CLOCK, METRICS, LOGGER],
  optional: [PROBE_METRICS, SERVER_AUTH, SERVING_CERTIFICATE, TRACER],
  config: serverConfig,
  register: (container) => {
    container.registerSingleton(KubeletEndpoints);
    container.registerSingleton(HttpServer);
    container.register(KUBELET_SERVER, { useToken: HttpServer });
  },
});
