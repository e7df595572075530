import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostNetwork } from '../addresses/host-network.js';
import { boundedLookup } from '../addresses/bounded-lookup.js';
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
import type { NodeStatusReporterNeeds } from './reporter-needs.js';
import { StatusSender } from './status-sender.js';

export type ReportingDeps = NodeStatusReporterNeeds & { readonly network: HostNetwork };

/** The two halves of the work: to register the Node and to keep its status up to date. */
export interface Reporting {
  readonly registration: NodeRegistration;
  readonly sender: StatusSender;
  /** Resolves when nothing runs any more; abort the signal of the start first. */
  ended(): Promise<void>;
}

/** Creates the parts and reads the machine. As upstream, reads it once: changes count after a restart. */
export async function startReporting(
  deps: ReportingDeps,
  config: ReporterConfig,
  signal: AbortSignal,
): Promise<Reporting> {
  const { client, node, runtimeState, connection, recorder, metrics, clock, random, logger, devices, journal } = deps;
  const machine = await readMachineFacts(config);
  const latency = new StartupLatency(metrics, clock, await bootTimeMs(config.hostRoot));
  const images = new ImageList(deps.images, clock, logger);
  const connectedTo = runtimeVersionText(connection.runtimeVersion);
  const version = new RuntimeVersionProbe(deps.runtime, clock, () => connectedTo);
  const podCidr = new PodCidr(deps.runtime, clock, logger);
  const setters = new NodeStatusSetters(
    {
      machine,
      network: boundedLookup(deps.network, clock),
      runtimeName: () => connection.runtimeName,
      runtimeVersion: () => version.current(signal),
      runtime: runtimeState,
      images: () => images.current(),
      pressure: deps.pressure,
      readiness: deps.readiness,
      shutdownError: () => deps.shutdown?.shutdownError(),
      volumesInUse: deps.volumes,
      devices,
    },
    { recorder, clock, logger, journal },
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
        ...{ client, clock, logger, journal },
        registered: node,
        schedule: new ReportSchedule(clock, random, statusReportFrequencyMs),
        compute: (original) => setters.apply(original),
        podCidrs: (cidrs) => podCidr.update(cidrs, signal),
        becameReady: () => latency.becameReady(),
        volumesReported: (names) => deps.volumes?.reported(names),
        architecture: machine.architecture,
      },
      { nodeName, timeoutMs },
    ),
    ended: () => images.ended(),
  };
}

/** undefined when the kernel does not report it. */
async function bootTimeMs(hostRoot: string): Promise<number | undefined> {
  const stat = await readFile(path.join(hostRoot, 'proc/stat'), 'utf8').catch(() => '');
  const seconds = /^btime (\d+)$/m.exec(stat)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

// Without a checkpoint nothing is known of earlier devices.
async function hasDeviceCheckpoint(rootDir: string): Promise<boolean> {
  return access(path.join(rootDir, 'device-plugins/kubelet_internal_checkpoint')).then(
    () => true,
    () => false,
  );
}
