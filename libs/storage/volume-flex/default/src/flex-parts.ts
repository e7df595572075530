import { join } from 'node:path';
import type { DiskTools } from '@podwright/block-device';
import type { MountTools } from '@podwright/filesystem';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { observeAccessControl } from '@podwright/volume-interface';
import type { FlexDriver } from './flex-driver.js';

/** What the volumes of one driver work with. */
export interface FlexParts {
  readonly driver: FlexDriver;
  readonly mounts: MountTools;
  /** Formats and resizes devices that the driver leaves to the kubelet. */
  readonly disks: Pick<DiskTools, 'formatAndMount' | 'resize'>;
  /** For secrets; absent without an API server. */
  readonly client?: Pick<KubeClient, 'get'> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For the duration of changes of owners. Default: none is measured. */
  readonly metrics?: Parameters<typeof observeAccessControl>[0] | undefined;
  /** `<root>/plugins`. */
  readonly pluginsDir: string;
}

/** Where the driver's volume is mounted once for all pods of the node. */
export function deviceMountPathOf({ driver, pluginsDir }: FlexParts, volumeName: string): string {
  return join(pluginsDir, 'kubernetes.io', 'flexvolume', driver.name, 'mounts', volumeName);
}
