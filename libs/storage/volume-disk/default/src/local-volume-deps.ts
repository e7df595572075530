import type { DiskTools } from '@podwright/block-device';
import type { EventRecorder } from '@podwright/events-interface';
import type { MountTools } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';

export interface LocalVolumeDeps {
  readonly mounts: MountTools;
  readonly disks: DiskTools;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly metrics: Pick<MetricsRegistry, 'histogram'>;
  readonly logger: Logger;
  /** Asks network file systems whether they answer. Default: a program of the node. */
  readonly run?: RunProgram;
}
