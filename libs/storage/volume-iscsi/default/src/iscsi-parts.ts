import type { DiskTools } from '@podwright/block-device';
import type { MountTools } from '@podwright/filesystem';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';
import type { observeAccessControl } from '@podwright/volume-interface';
import type { IscsiSysfs } from './iscsi-sysfs.js';
import type { Iscsiadm } from './iscsiadm.js';
import type { TargetLocks } from './target-locks.js';

/** What the volumes of this node work with. */
export interface IscsiParts {
  readonly iscsiadm: Iscsiadm;
  readonly sysfs: IscsiSysfs;
  readonly mounts: MountTools;
  readonly disks: Pick<DiskTools, 'formatAndMount'>;
  /** Runs `multipath`. */
  readonly run: RunProgram;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For the duration of changes of owners. Default: none is measured. */
  readonly metrics?: Parameters<typeof observeAccessControl>[0] | undefined;
  /** For secrets; absent without an API server. */
  readonly client?: Pick<KubeClient, 'get'> | undefined;
  /** One at a time logs in to a target or out of it. */
  readonly targets: TargetLocks;
  /** `<root>/plugins`. */
  readonly pluginsDir: string;
  /** `/sys`. */
  readonly sysDir: string;
  /** `/dev`. */
  readonly devDir: string;
}
