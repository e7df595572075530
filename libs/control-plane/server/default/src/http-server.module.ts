import { CLOCK, LOGGER, METRICS, RANDOM, defineModule } from '@podwright/assembly-interface';
import { SERVING_CERTIFICATE } from '@podwright/cert-rotation-interface';
import { CADVISOR_METRICS } from '@podwright/cgroup-stats-interface';
import { CONTAINER_LOGS } from '@podwright/container-logs-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { DEVICE_MANAGER } from '@podwright/device-manager-interface';
import { EVICTION_MANAGER } from '@podwright/eviction-interface';
import { IMAGE_PULL_PROGRESS } from '@podwright/image-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { PROBE_METRICS } from '@podwright/probe-interface';
import { SERVER_AUTH } from '@podwright/server-auth-interface';
import { KUBELET_PROCESS, KUBELET_SERVER } from '@podwright/server-interface';
import { RESOURCE_METRICS, STATS_PROVIDER } from '@podwright/stats-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { STREAMING } from '@podwright/streaming-interface';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { TRACER } from '@podwright/tracing-interface';
import { DebuggingEndpoints } from './endpoints/debugging-endpoints.js';
import { KubeletEndpoints } from './endpoints/kubelet-endpoints.js';
import { UnguardedEndpoints } from './endpoints/unguarded-endpoints.js';
import { HttpServer } from './http-server.js';
import { serverConfig } from './server-config.js';

export const serverModule = defineModule({
  name: '@podwright/server',
  provides: [KUBELET_SERVER],
  requires: [
    ...[POD_MANAGER, STATUS_MANAGER, BOOTSTRAP, CONTAINER_RUNTIME, RUNTIME_SERVICE],
    ...[CLOCK, RANDOM, METRICS, LOGGER],
  ],
  optional: [
    ...[SERVER_AUTH, SERVING_CERTIFICATE, TRACER, KUBELET_PROCESS],
    // What is absent has no endpoint.
    ...[
      DEVICE_MANAGER,
      STREAMING,
      CONTAINER_LOGS,
      EVICTION_MANAGER,
      IMAGE_PULL_PROGRESS,
      STATS_PROVIDER,
      PROBE_METRICS,
      RESOURCE_METRICS,
      CADVISOR_METRICS,
    ],
  ],
  config: serverConfig,
  register: (container) => {
    container.registerSingleton(UnguardedEndpoints);
    container.registerSingleton(DebuggingEndpoints);
    container.registerSingleton(KubeletEndpoints);
    container.registerSingleton(HttpServer);
    container.register(KUBELET_SERVER, { useToken: HttpServer });
  },
});
