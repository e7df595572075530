import { CLOCK, LOGGER, needs, optional, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { cgroupHierarchies, containerIdOf } from '@podwright/cgroup-files';
import { CGROUP_DRIVER, type CgroupDriverName } from '@podwright/cgroup-interface';
import type {
  CgroupRoots,
  CgroupSample,
  CgroupStats,
  MachineInfo,
  SampleOptions,
} from '@podwright/cgroup-stats-interface';
import { mapLimit } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import { FailureLog } from '@podwright/logging';
import path from 'node:path';
import { CgroupIdentities } from './cgroup-identities.js';
import { cgroupRoots } from './cgroup-roots.js';
import { CpuRates } from './cpu-rates.js';
import { DeviceNames } from './machine/device-names.js';
import { readMachineInfo } from './machine/read-machine-info.js';
import type { OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import { parseNetworkInterfaces } from './proc/network-interfaces.js';
import { cgroupLayout, type CgroupLayout } from './read/cgroup-layout.js';
import type { CgroupReader } from './read/cgroup-reading.js';
import { CgroupV1Reader } from './read/cgroup-v1-reader.js';
import { CgroupV2Reader } from './read/cgroup-v2-reader.js';
import { cgroupsBelow } from './read/cgroup-walk.js';
import { firstProcess } from './read/first-process.js';
import { readSmallFile } from './read/small-file.js';
import { SampleCache, type SampledCgroup, type Wanted } from './sample-cache.js';

/** What is available once the hierarchies are found. */
interface Opened {
  readonly layout: CgroupLayout;
  readonly reader: CgroupReader;
  readonly identities: CgroupIdentities;
}

// Callers that look up many containers in a row share one list of cgroups.
const listMaxAgeMs = 1000;

export const cgroupStatsNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  /** Default: the configured driver. */
  driver: optional(pick(CGROUP_DRIVER, 'name')),
});
export type CgroupStatsNeeds = Needs<typeof cgroupStatsNeeds>;

/**
 * {@link CgroupStats} that reads files on demand and runs nothing in between. Source: google/cadvisor v0.56
 * container/libcontainer, container/raw, container/containerd; kubernetes v1.36 pkg/kubelet/cadvisor/cadvisor_linux.go.
 */
export class OnDemandCgroupStats implements CgroupStats {
  private readonly cache = new SampleCache();
  private readonly rates = new CpuRates();
  private readonly failureLog: FailureLog;
  private readonly devices: DeviceNames;
  private opened: Opened | undefined;
  private info: MachineInfo | undefined;
  private known: CgroupRoots | undefined;
  private list: { readonly at: number; readonly cgroups: Promise<readonly string[]> } | undefined;
  private starting: Promise<void> | undefined;

  constructor(
    private readonly deps: CgroupStatsNeeds,
    private readonly config: OnDemandCgroupStatsConfig,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
    this.devices = new DeviceNames(this.proc('diskstats'), deps.clock);
  }

  start(): Promise<void> {
    this.starting ??= this.open();
    return this.starting;
  }

  // Nothing runs between two calls, and readings end by themselves.
  async stop(): Promise<void> {
    await this.starting?.catch(() => undefined);
  }

  healthy(): Health {
    if (this.info === undefined) return { ok: false, reason: 'cgroup-stats is not started' };
    if (this.opened === undefined) return { ok: false, reason: 'no cgroup hierarchy is mounted' };
    return { ok: true };
  }

  machine(): MachineInfo {
    if (this.info !== undefined) return this.info;
    throw new KubeletError('cgroup-stats is not started', { code: 'failed-precondition' });
  }

  /** The runtime's answer takes precedence over the configuration. */
  driverName(): CgroupDriverName {
    return this.deps.driver?.name() ?? this.config.cgroupDriver;
  }

  roots(): CgroupRoots {
    return this.known ?? cgroupRoots(this.config, '');
  }

  async sample(cgroup: string, options: SampleOptions = {}): Promise<CgroupSample | undefined> {
    return (await this.sampled(cgroup, options))?.sample;
  }

  async samples(options: SampleOptions = {}): Promise<readonly CgroupSample[]> {
    const cgroups = ['/', ...(await this.cgroups())];
    const found = await mapLimit(cgroups, this.config.concurrentReads, (cgroup) => this.sampleOrLog(cgroup, options));
    return found.flatMap((sampled) => sampled?.sample ?? []);
  }

  async containerPath(id: string): Promise<string | undefined> {
    if (id === '') return undefined;
    const isIt = (cgroup: string): boolean => containerIdOf(cgroup) === id || path.posix.basename(cgroup) === id;
    const listed = (await this.list?.cgroups)?.find(isIt);
    if (listed !== undefined && (await this.opened?.identities.of(listed, this.deps.clock.now())) !== undefined)
      return listed;
    return (await this.cgroups(listMaxAgeMs)).find(isIt);
  }

  /** Paths at and below the roots, parents first, without `/`. May return a cached list of at most `maxAgeMs`. */
  cgroups(maxAgeMs = 0): Promise<readonly string[]> {
    const now = this.deps.clock.monotonic();
    if (this.opened === undefined) return Promise.resolve([]);
    if (this.list !== undefined && now - this.list.at <= maxAgeMs) return this.list.cgroups;
    const roots = Object.values(this.roots()).filter((root): root is string => root !== undefined);
    const list = { at: now, cgroups: cgroupsBelow(this.opened.layout, roots) };
    this.list = list;
    list.cgroups.catch(() => (this.list = this.list === list ? undefined : this.list));
    return list.cgroups;
  }

  /** As {@link sample}, but logs a failure and does not throw. */
  async sampleOrLog(cgroup: string, options: SampleOptions): Promise<SampledCgroup | undefined> {
    try {
      return await this.sampled(cgroup, options);
    } catch (error) {
      this.failureLog.failed('read', 'Failed to read a cgroup', { cgroup, error });
      return undefined;
    }
  }

  private async sampled(cgroup: string, options: SampleOptions): Promise<SampledCgroup | undefined> {
    const { opened } = this;
    if (opened === undefined || !isPath(cgroup)) return undefined;
    const { network = false } = options;
    const wanted = { full: options.detail !== 'usage', network: network !== false || cgroup === '/' };
    const age = { nowMs: this.deps.clock.monotonic(), maxAgeMs: options.maxAgeMs ?? this.config.maxAgeMs };
    const others = typeof network === 'boolean' ? [] : network.filter(isPath);
    return this.cache.get(cgroup, wanted, age, () => this.read(opened, cgroup, wanted, others));
  }

  private async read(
    { layout, reader, identities }: Opened,
    cgroup: string,
    wanted: Wanted,
    others: readonly string[],
  ): Promise<SampledCgroup | undefined> {
    const nowMs = this.deps.clock.now();
    const identity = await identities.of(cgroup, nowMs);
    if (identity === undefined) {
      this.rates.forget(cgroup);
      return undefined;
    }
    if (wanted.full) await this.devices.refresh();
    const atMs = this.deps.clock.monotonic();
    const reading = await reader.read(cgroup, { full: wanted.full, hierarchical: identity.hierarchical });
    const { cpu, limits, pids, ...parts } = reading;
    const usageNanoCores = cpu && this.rates.rate(cgroup, cpu.usageNs, atMs);
    const process = cgroup === '/' ? 1 : pids[0];
    const network = wanted.network ? await this.network(process ?? (await firstProcess(layout, others))) : undefined;
    const sample: CgroupSample = {
      ...parts,
      path: cgroup,
      timeMs: nowMs,
      createdMs: identity.createdMs,
      limits: cgroup === '/' ? { ...limits, ...this.machineLimits() } : limits,
      ...(cpu !== undefined && { cpu: { ...cpu, ...(usageNanoCores !== undefined && { usageNanoCores }) } }),
      ...(network !== undefined && { network }),
    };
    return { sample, pids };
  }

  private machineLimits(): Pick<CgroupSample['limits'], 'memoryLimit' | 'memorySwapLimit'> {
    const { memoryBytes, swapBytes } = this.machine();
    return { memoryLimit: memoryBytes, memorySwapLimit: swapBytes };
  }

  private async network(pid: number | undefined): Promise<CgroupSample['network']> {
    if (pid === undefined) return undefined;
    const text =
      (await readSmallFile(this.proc(`${pid}/net/dev`))) ??
      (pid === 1 ? await readSmallFile(this.proc('self/net/dev')) : undefined);
    return text === undefined ? undefined : parseNetworkInterfaces(text);
  }

  private async open(): Promise<void> {
    const layout = cgroupLayout(await cgroupHierarchies(this.proc('self/mountinfo')));
    const info = await readMachineInfo({
      ...this.config,
      cgroupVersion: layout?.version ?? 1,
      nowMs: this.deps.clock.now(),
    });
    this.info = { ...info, pressure: info.pressure && this.config.pressure };
    this.known = cgroupRoots(
      { ...this.config, cgroupDriver: this.driverName() },
      (await readSmallFile(this.proc('self/cgroup'))) ?? '',
    );
    if (layout === undefined) {
      this.deps.logger.warn('No cgroup hierarchy is mounted: there will be no statistics of pods');
      return;
    }
    const deviceName = (major: number, minor: number): string => this.devices.nameOf(major, minor);
    const reader =
      layout.version === 1
        ? new CgroupV1Reader(layout, deviceName)
        : new CgroupV2Reader(layout, deviceName, { pressure: this.info.pressure, meminfoFile: this.proc('meminfo') });
    this.opened = { layout, reader, identities: new CgroupIdentities(layout, info.bootTimeMs) };
  }

  private proc(name: string): string {
    return path.join(this.config.hostRoot, 'proc', name);
  }
}

/** Whether the path stays inside the hierarchy. */
function isPath(cgroup: string): boolean {
  return cgroup === '/' || (/^\/.*[^/]$/.test(cgroup) && path.posix.normalize(cgroup) === cgroup);
}
