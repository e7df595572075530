import { CLOCK, LOGGER, METRICS, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import type { DraManager } from '@podwright/dra-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { objectKey, podRef, podUid, type Container, type Pod } from '@podwright/kube-types';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { PLUGIN_WATCHER } from '@podwright/plugin-watcher-interface';
import type { ClaimAssignment } from '@podwright/pod-resources-interface';
import { ClaimFile } from './checkpoint/claim-file.js';
import type { ClaimDraManagerConfig } from './claim-dra-manager-config.js';
import { ClaimCache } from './claims/claim-cache.js';
import { ClaimCheck } from './claims/claim-check.js';
import { ClaimLocks } from './claims/claim-locks.js';
import { ClaimPreparer } from './claims/claim-preparer.js';
import { ClaimReleaser } from './claims/claim-releaser.js';
import { ContainerDevices } from './claims/container-devices.js';
import { podClaims } from './claims/pod-claims.js';
import { DraMetrics } from './dra-metrics.js';
import { DRA_DRIVER_CONNECTOR, draDriverConnector } from './drivers/dra-driver-client.js';
import { DraDrivers } from './drivers/dra-drivers.js';
import { draPluginHandler } from './drivers/dra-plugin-handler.js';
import { SliceWiper } from './drivers/slice-wiper.js';
import { ClaimHealth } from './health/claim-health.js';
import { HealthCache } from './health/health-cache.js';
import { HealthFile } from './health/health-file.js';
import { HealthStreams } from './health/health-streams.js';

export const draManagerNeeds = needs({
  clock: CLOCK,
  random: RANDOM,
  metrics: METRICS,
  logger: LOGGER,
  /** Without it no pod can use claims, and no ResourceSlices are deleted. */
  client: optional(pick(KUBE_CLIENT, 'get', 'deleteCollection')),
  node: optional(pick(REGISTERED_NODE, 'current')),
  /** Without it no driver can register. */
  watcher: optional(pick(PLUGIN_WATCHER, 'addHandler')),
  /** Connects to drivers. Default: gRPC on their unix sockets. */
  connect: optional(DRA_DRIVER_CONNECTOR),
});
export type DraManagerNeeds = Needs<typeof draManagerNeeds>;

/** {@link DraManager} that keeps upstream's checkpoint files. */
export class ClaimDraManager implements DraManager {
  readonly health: AllocatedResourceHealth;
  private readonly cache: ClaimCache;
  private readonly locks = new ClaimLocks();
  private readonly preparer: ClaimPreparer;
  private readonly releaser: ClaimReleaser;
  private readonly devices: ContainerDevices;
  private readonly drivers: DraDrivers;
  private readonly streams: HealthStreams;
  private readonly wiper: SliceWiper;
  private readonly measured: DraMetrics;
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly deps: DraManagerNeeds,
    private readonly config: ClaimDraManagerConfig,
  ) {
    const { clock, random, logger, client, node, metrics, connect = draDriverConnector(clock) } = deps;
    const { rootDir, callTimeoutMs, wipingDelayMs, healthRetryMs, extendedResources, groupClaims } = config;
    this.measured = new DraMetrics(clock, metrics);
    this.cache = new ClaimCache(new ClaimFile(rootDir));
    const reported = new HealthCache(clock, config);
    const health = new ClaimHealth(this.cache, reported, config);
    this.health = health;
    this.streams = new HealthStreams({
      ...{ clock, logger, cache: reported, limits: config, retryMs: healthRetryMs, file: new HealthFile(rootDir) },
      onChange: (driver, devices) => health.changed(driver, devices),
    });
    this.wiper = new SliceWiper({ client, node, clock, random, logger, delayMs: wipingDelayMs });
    this.drivers = new DraDrivers({
      ...{ clock, logger, connect, callTimeoutMs, metrics: this.measured },
      onChange: (driver, usable) => this.wiper.driverChanged(driver, usable),
      watchHealth: async (driver, plugin, signal) => {
        if (config.resourceHealthStatus) await this.streams.watch(driver, plugin, signal);
      },
    });
    const { cache, drivers } = this;
    this.preparer = new ClaimPreparer({ cache, drivers, check: new ClaimCheck(client, groupClaims) });
    this.releaser = new ClaimReleaser(cache, drivers);
    this.devices = new ContainerDevices(cache, extendedResources);
  }

  async start(): Promise<void> {
    const { watcher } = this.deps;
    await this.cache.load();
    if (this.config.resourceHealthStatus) await this.streams.load();
    this.ends.push(this.measured.showClaims(() => this.cache.all()));
    this.wiper.start();
    if (watcher !== undefined) this.ends.push(watcher.addHandler('DRAPlugin', draPluginHandler(this.drivers)));
  }

  async stop(): Promise<void> {
    for (const end of this.ends.splice(0)) end();
    await Promise.all([this.wiper.stop(), this.drivers.stop()]);
    await this.streams.flushed();
  }

  async prepare(pod: Pod, signal?: AbortSignal): Promise<void> {
    const work = async (): Promise<void> => {
      const references = podClaims(pod, this.config.extendedResources);
      const keys = references.map(({ claimName }) => objectKey(pod.metadata.namespace, claimName));
      await this.locks.hold(keys, () => this.preparer.prepare(pod, references, signal), signal);
    };
    await this.measured.operation('PrepareResources', work).catch(inContext('prepare dynamic resources'));
  }

  async unprepare(pod: Pod, signal?: AbortSignal): Promise<void> {
    const work = (): Promise<void> => this.release(podUid(pod), signal);
    await this.measured.operation('UnprepareResources', work).catch(inContext('unprepare dynamic resources'));
  }

  async unprepareOthers(kept: Pick<ReadonlySet<string>, 'has'>, signal?: AbortSignal): Promise<void> {
    const users = new Set(this.cache.all().flatMap(({ podUids }) => [...podUids]));
    const gone = [...users].filter((uid) => !kept.has(uid));
    const releases = gone.map((uid) =>
      this.release(uid, signal).catch((error: unknown) => {
        if (signal?.aborted === true) return;
        const message = 'Unpreparing pod resources in reconcile loop failed, will retry';
        this.deps.logger.info(message, { podUID: uid, error });
      }),
    );
    await Promise.all(releases);
  }

  holdsClaims(uid: string): boolean {
    return this.cache.ofPod(uid).length > 0;
  }

  cdiDevicesOf(pod: Pod, container: Container): readonly string[] {
    return this.devices.cdiDevices(pod, container);
  }

  claimsOf(pod: Pod, container: Container): readonly ClaimAssignment[] {
    try {
      return this.devices.assignments(pod, container);
    } catch (error) {
      this.deps.logger.error('Unable to get container claim info state', { pod: podRef(pod), error });
      return [];
    }
  }

  private release(uid: string, signal?: AbortSignal): Promise<void> {
    const keys = this.cache.ofPod(uid).map(({ namespace, claimName }) => objectKey(namespace, claimName));
    return this.locks.hold(keys, () => this.releaser.release(uid, signal), signal);
  }
}

const inContext =
  (what: string) =>
  (error: unknown): never => {
    const { code } = KubeletError.from(error);
    throw new KubeletError(`${what}: ${messageOf(error)}`, { code, cause: error });
  };
