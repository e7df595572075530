import type { RuntimeState } from '@podwright/container-runtime-interface';
import type { ImageService, RuntimeConnection, RuntimeService } from '@podwright/cri-client-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { NodeShutdownManager } from '@podwright/node-shutdown-interface';
import type { DeviceResources, NodePressure, RegisteredNode } from '@podwright/node-status-interface';
import type { Clock, Random } from '@podwright/time';
import type { VolumesInUse } from '@podwright/volume-interface';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostNetwork } from '../addresses/host-network.js';
import { patientLookup } from '../addresses/patient-lookup.js';
import { nodeIdentity } from '../initial-node.js';
import { readMachineFacts } from '@podwright/machine';
import { NodeRegistration } from '../registration/node-registration.js';
import { StartupLatency } from '../registration/startup-latency.js';
import { runtimeVersionText } from '../runtime-version.js';
import { ImageList } from '../status/image-list.js';
import { NodeStatusSetters } from '../status/node-status-setters.js';
import { PodCidr } from '../status/pod-cidr.js';
import { RuntimeVersionProbe } from '../status/runtime-version-probe.js';
import { ReportSchedule } from './report-schedule.js';
import type { ReporterConfig } from './reporter-config.js';
import { StatusSender } from './status-sender.js';

export interface ReportingDeps {
  readonly client: Pick<KubeClient, 'server' | 'create' | 'get' | 'patch' | 'closeConnections'>;
  readonly node: Pick<RegisteredNode, 'current'>;
  readonly runtimeState: RuntimeState;
  readonly connection: Pick<RuntimeConnection, 'runtimeName' | 'runtimeVersion'>;
  readonly runtime: Pick<RuntimeService, 'version' | 'updateRuntimeConfig'>;
  readonly images: Pick<ImageService, 'listImages'>;
  readonly recorder: EventRecorder;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly network: HostNetwork;
  readonly pressure?: NodePressure | undefined;
  readonly shutdown?: Pick<NodeShutdownManager, 'shutdownError'> | undefined;
  readonly volumes?: VolumesInUse | undefined;
  readonly devices?: DeviceResources | undefined;
}

/** The two halves of the work: to have a Node, and to keep its status. */
export interface Reporting {
  readonly registration: NodeRegistration;
  readonly sender: StatusSender;
  /** Resolves when nothing of it runs any more; the signal of the start must be aborted. */
  ended(): Promise<void>;
}

/** Puts the parts together and reads the machine, once as upstream does: what changes there counts after a restart. */
export async function startReporting(
  deps: ReportingDeps,
  config: ReporterConfig,
  signal: AbortSignal,
): Promise<Reporting> {
  const { client, node, runtimeState, connection, recorder, metrics, clock, random, logger, devices } = deps;
  const machine = await readMachineFacts(config);
  const latency = new StartupLatency(metrics, clock, await bootTimeMs(config.hostRoot));
  const images = new ImageList(deps.images, clock, logger);
  const connectedTo = runtimeVersionText(connection.runtimeVersion);
  const version = new RuntimeVersionProbe(deps.runtime, clock, () => connectedTo);
  const podCidr = new PodCidr(deps.runtime, clock, logger);
  const setters = new NodeStatusSetters(
    {
      machine,
      network: patientLookup(deps.network, clock),
      runtimeName: () => connection.runtimeName,
      runtimeVersion: () => version.current(signal),
      runtime: runtimeState,
      images: () => images.current(),
      pressure: deps.pressure,
      shutdownError: () => deps.shutdown?.shutdownError(),
      volumesInUse: deps.volumes,
      devices,
    },
    recorder,
    clock,
    logger,
    config,
  );
  await images.start(signal);
  const { nodeName, getOnExistsOnly, timeoutMs, statusReportFrequencyMs } = config;
  return {
    registration: new NodeRegistration(
      {
        ...{ client, clock, logger, latency },
        initialNode: () => setters.apply(nodeIdentity(config, machine.architecture)),
        resetExtendedResources: async () => devices?.nodeRecreated() ?? !(await hasDeviceCheckpoint(config.rootDir)),
      },
      { nodeName, getOnExistsOnly },
    ),
    sender: new StatusSender(
      {
        ...{ client, clock, logger },
        registered: node,
        schedule: new ReportSchedule(clock, random, statusReportFrequencyMs),
        compute: (original) => setters.apply(original),
        podCidrs: (cidrs) => podCidr.update(cidrs, signal),
        becameReady: () => latency.becameReady(),
        architecture: machine.architecture,
      },
      { nodeName, timeoutMs },
    ),
    ended: () => images.ended(),
  };
}

/** undefined when the kernel does not tell. */
async function bootTimeMs(hostRoot: string): Promise<number | undefined> {
  const stat = await readFile(path.join(hostRoot, 'proc/stat'), 'utf8').catch(() => '');
  const seconds = /^btime (\d+)$/m.exec(stat)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

// Without it the node is another one than before, as far as devices go.
async function hasDeviceCheckpoint(rootDir: string): Promise<boolean> {
  return access(path.join(rootDir, 'device-plugins/kubelet_internal_checkpoint')).then(
    () => true,
    () => false,
  );
}
