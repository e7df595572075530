import type { DiskTools } from '@podwright/block-device';
import type { MountTools } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';
import type { observeAccessControl } from '@podwright/volume-interface';

/** What the volumes of this node work with. */
export interface FcParts {
  readonly mounts: MountTools;
  readonly disks: Pick<DiskTools, 'formatAndMount'>;
  /** Runs `multipath` and `blockdev`. */
  readonly run: RunProgram;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For the duration of changes of owners. Default: none is measured. */
  readonly metrics?: Parameters<typeof observeAccessControl>[0] | undefined;
  /** `<root>/plugins`. */
  readonly pluginsDir: string;
  /** `/sys`. */
  readonly sysDir: string;
  /** `/dev`. */
  readonly devDir: string;
}
