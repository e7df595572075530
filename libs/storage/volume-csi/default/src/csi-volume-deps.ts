import type { EventRecorder } from '@podwright/events-interface';
import type { MountTools } from '@podwright/filesystem';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { ServiceAccountTokens } from '@podwright/service-account-token-interface';
import type { Clock } from '@podwright/time';
import type { CsiClients } from './client/csi-client.js';
import type { CsiDriverObjects } from './csi-drivers/csi-driver-objects.js';

export interface CsiVolumeDeps {
  readonly clients: CsiClients;
  /** CSIDriver objects. */
  readonly driverObjects: Pick<CsiDriverObjects, 'get'>;
  /** For VolumeAttachments and secrets. */
  readonly api: Pick<KubeClient, 'get'>;
  readonly tokens: Pick<ServiceAccountTokens, 'get'>;
  readonly mounts: Pick<MountTools, 'list'>;
  readonly events: Pick<EventRecorder, 'event'>;
  readonly metrics: Pick<MetricsRegistry, 'histogram'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CsiVolumeOptions {
  /** The kubelet's root directory. */
  readonly rootDir: string;
  readonly nodeName: string;
  /** Feature gate CSIVolumeHealth: ask drivers for the condition of volumes. */
  readonly volumeHealth: boolean;
}
