import { createLoopDevices, isDeviceOpen } from '@podwright/block-device';
import type { EventRecorder } from '@podwright/events-interface';
import { createMountTools, type MountTools } from '@podwright/filesystem';
import { noSeLinux, type SeLinux } from '@podwright/selinux';
import type { VolumePlugin } from '@podwright/volume-interface';
import { Attachments } from './attach/attachments.js';
import { KubeletAttachments } from './attach/kubelet-attachments.js';
import { BlockMappings } from './block/block-mappings.js';
import { WantedVolumes } from './claims/wanted-volumes.js';
import { NodeExpander } from './expansion/node-expander.js';
import { VolumeExpansions } from './expansion/volume-expansions.js';
import { DeviceMounts } from './mount/device-mounts.js';
import { SharedVolumes } from './mount/shared-volumes.js';
import { VolumeDevices } from './mount/volume-devices.js';
import { VolumeFailures } from './mount/volume-failures.js';
import { VolumeMounts } from './mount/volume-mounts.js';
import { PodVolumes } from './pod-volumes.js';
import { PodsDir } from './pods-dir.js';
import { SeLinuxVolumes } from './selinux/selinux-volumes.js';
import type { VolumeManagerConfig } from './volume-manager-config.js';
import type { VolumeManagerNeeds } from './volume-manager-needs.js';
import { VolumeJournal } from './volume-journal.js';
import { VolumeMetrics } from './volume-metrics.js';
import { VolumeOperations } from './volume-operations.js';
import { VolumeRefresher } from './volume-refresher.js';
import { VolumeTable } from './volume-table.js';

/** What a volume manager consists of. */
export interface VolumeManagerParts {
  readonly podsDir: PodsDir;
  readonly table: VolumeTable;
  readonly operations: VolumeOperations;
  readonly metrics: VolumeMetrics;
  readonly journal: VolumeJournal;
  readonly attachments: Attachments;
  readonly wanted: WantedVolumes;
  readonly shared: SharedVolumes;
  readonly volumes: PodVolumes;
  readonly mounts: MountTools;
  /** The plugins of this moment. */
  readonly plugins: () => readonly VolumePlugin[];
  /** Without it the node has no SELinux. */
  readonly useSeLinux: (seLinux: SeLinux) => void;
}

export function createVolumeManagerParts(
  deps: VolumeManagerNeeds,
  config: VolumeManagerConfig,
  stopping: AbortSignal,
): VolumeManagerParts {
  const { clock, logger, claims, node, nodeSource, probers } = deps;
  // A kubelet that stops cuts its work short: that is no failure of a pod's volume.
  const events: EventRecorder = { event: (...told) => void (stopping.aborted || deps.events.event(...told)) };
  const mounts = deps.mounts ?? createMountTools();
  const podsDir = new PodsDir(config.rootDir);
  const table = new VolumeTable();
  const journal = new VolumeJournal({ journal: deps.journal, clock, table });
  const operations = new VolumeOperations(clock, config, (failed) => {
    if (!stopping.aborted) journal.failed(failed);
  });
  const metrics = new VolumeMetrics(deps.metrics, clock, table);
  const failures = new VolumeFailures(events, logger);

  const plugins = (): readonly VolumePlugin[] =>
    probers.length === 0 ? deps.plugins : [...deps.plugins, ...probers.flatMap((prober) => prober.plugins())];
  const labelsOf = (seLinux: SeLinux): SeLinuxVolumes =>
    new SeLinuxVolumes({ seLinux, metrics: deps.metrics, logger }, { mountAll: config.seLinuxMount });
  let labels = labelsOf(noSeLinux);
  const wanted = new WantedVolumes({
    ...{ table, plugins, claims, labels: () => labels },
    podDirOf: (podUid) => podsDir.of(podUid),
  });
  const own = new KubeletAttachments({ nodeSource, failures, events, metrics, operations });
  const attachments = new Attachments(
    { table, node, nodeSource, metrics, own, clock, logger },
    // Without an API server there is no controller that could.
    config.controllerAttaches && node !== undefined,
  );

  const devices = new DeviceMounts({ mounts, failures, isDeviceOpen });
  const mappings = new BlockMappings({ mounts, loops: createLoopDevices(), events });
  const blocks = new VolumeDevices({ mappings, events, logger });
  const expander = new NodeExpander({ client: deps.client, events, clock, logger });
  const expansions = new VolumeExpansions({ expander, failures, metrics });
  const ofNode = { node: () => nodeSource?.getNode() ?? {} };
  const perPod = new VolumeMounts({ ...ofNode, mounts, table, metrics, devices, blocks, expansions, failures, logger });

  /** An operation continues after the pod's wait has ended, but at most this long. */
  const bounded = async (task: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const deadline = clock.deadline(config.waitTimeoutMs, stopping);
    try {
      await task(deadline.signal);
    } finally {
      deadline.dispose();
    }
  };
  const onGone = ({ uniqueName }: { readonly uniqueName: string }): void => expander.forget(uniqueName);
  const shared = new SharedVolumes({
    ...{ table, devices, blocks, operations, attachments, metrics, stopping, onGone, bounded },
  });
  const refresher = new VolumeRefresher(operations, stopping, logger);
  const volumes = new PodVolumes({
    ...{ table, podsDir, operations, metrics, journal, attachments, wanted, shared, refresher, expansions },
    ...{ mounts: perPod, clock, logger, stopping, bounded, growsByClaims: claims !== undefined },
  });
  const useSeLinux = (seLinux: SeLinux): void => void (labels = labelsOf(seLinux));
  return {
    ...{ podsDir, table, operations, metrics, journal, attachments, wanted, shared, volumes, mounts, plugins },
    useSeLinux,
  };
}
