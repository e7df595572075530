import type { ContainerLogs } from '@podwright/container-logs-interface';
import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import type { DeviceManager } from '@podwright/device-manager-interface';
import type { EvictionManager } from '@podwright/eviction-interface';
import type { ImagePullProgress } from '@podwright/image-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsSource } from '@podwright/metrics';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { KubeletProcess } from '@podwright/server-interface';
import type { StatsProvider } from '@podwright/stats-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { Streaming } from '@podwright/streaming-interface';
import type { Bootstrap } from '@podwright/sync-loop-interface';
import type { Clock, Random } from '@podwright/time';

/** What the endpoints ask. Those of an optional part that is absent do not exist. */
export interface EndpointsDeps {
  readonly pods: Pick<PodManager, 'getPods' | 'getPodByFullName' | 'translatePodUid'>;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly bootstrap: Pick<Bootstrap, 'healthy'>;
  readonly runtime: Pick<ContainerRuntime, 'getPods'>;
  readonly cri: Pick<RuntimeService, 'checkpointContainer'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsSource;
  /** `/configz`, `/flagz`, `/statusz`, `/debug/flags/v` and the check `log`. */
  readonly kubelet?: KubeletProcess;
  /** `/exec`, `/attach`, `/portForward` and `/run`. */
  readonly streaming?: Pick<Streaming, 'serve' | 'run'>;
  /** `/containerLogs`. */
  readonly containerLogs?: ContainerLogs;
  /** `/debug/evictions`. */
  readonly evictions?: Pick<EvictionManager, 'decisions' | 'dryRun'>;
  /** `/debug/imagepulls`. */
  readonly imagePulls?: ImagePullProgress;
  /** The check `device-plugin`. */
  readonly devices?: Pick<DeviceManager, 'healthy'>;
  /** `/stats/summary`. */
  readonly stats?: Pick<StatsProvider, 'summary'>;
  /** `/metrics/probes`, `/metrics/resource` and `/metrics/cadvisor`. */
  readonly probeMetrics?: MetricsSource;
  readonly resourceMetrics?: MetricsSource;
  readonly cadvisorMetrics?: MetricsSource;
}
