import type { Lifecycle } from '@podwright/assembly-interface';
import { serialize } from '@podwright/concurrency';
import { messageOf } from '@podwright/errors';
import { DirectoryWatch, makeDirectory, type WatchDirectory } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { VolumePlugin, VolumeProber } from '@podwright/volume-interface';
import { driverFolders, driverNameOf, executableOf, readDriverFolder, type DriverFolder } from './driver-folder.js';

export interface FlexProberDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: inotify. */
  readonly watchDirectory?: WatchDirectory;
  /** Asks a driver what it can do and makes its plugin; rejects when the driver refuses. */
  readonly probe: (driver: { readonly name: string; readonly executable: string }) => Promise<VolumePlugin>;
}

interface KnownDriver {
  /** What was in the folder after the last probe. */
  identity: string;
  plugin: VolumePlugin | undefined;
  failed: boolean;
}

// A driver is several files that somebody copies there.
const settle = { quietMs: 100, mostMs: 1_000 };
const retry = { firstMs: 10_000, longestMs: 10_000 };
// A lookup comes every few milliseconds while a pod waits for its volumes.
const retryFailedMs = 1_000;

/**
 * {@link VolumeProber} for a folder of drivers. It probes a driver when anything in its folder changes; the former
 * plugin stays until the new one is there. What failed is probed again with the next lookup. Source: kubernetes v1.36
 * pkg/volume/flexvolume/probe.go.
 */
export class FlexVolumeProber implements VolumeProber, Lifecycle {
  private readonly drivers = new Map<string, KnownDriver>();
  private readonly watches = new Map<string, DirectoryWatch>();
  private failedUntilMs = 0;
  private scanning = false;
  private stopped = false;

  constructor(
    private readonly deps: FlexProberDeps,
    private readonly directory: string,
  ) {}

  /** Resolves when each driver has been probed once, so that volumes of an earlier kubelet find their plugins. */
  async start(): Promise<void> {
    await this.scan();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const watch of this.watches.values()) watch.close();
    this.watches.clear();
  }

  plugins(): readonly VolumePlugin[] {
    // By folder: concurrent probes end in any order.
    const known = [...this.drivers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, driver]) => driver);
    const isDue = this.deps.clock.monotonic() >= this.failedUntilMs;
    if (isDue && !this.scanning && known.some(({ failed }) => failed)) void this.scan();
    return known.flatMap(({ plugin }) => plugin ?? []);
  }

  /** Never rejects: a folder that cannot be read is read again after a pause. */
  private readonly scan = serialize(async (): Promise<void> => {
    if (this.stopped) return;
    this.scanning = true;
    try {
      await makeDirectory(this.directory, 0o755);
      const root = await this.watch(this.directory);
      const folders = await driverFolders(this.directory);
      const watched = new Set([root.directory]);
      const read = await Promise.all(folders.map((folder) => this.probeFolder(folder)));
      for (const { folders: below } of read) for (const folder of below) watched.add(folder);
      this.forget(new Set(folders), watched);
    } catch (error) {
      const { directory, deps } = this;
      deps.logger.warn('Error probing FlexVolume drivers', { directory, error });
      (await this.watch(directory)).lose(error);
    } finally {
      this.scanning = false;
      this.failedUntilMs = this.deps.clock.monotonic() + retryFailedMs;
    }
  });

  private async probeFolder(path: string): Promise<DriverFolder> {
    const watch = async (folder: string): Promise<void> => void (await this.watch(folder));
    const before = await readDriverFolder(path, watch);
    const known = this.drivers.get(path);
    if (before.executable === undefined) {
      this.drivers.delete(path);
      return before;
    }
    if (known !== undefined && !known.failed && known.identity === before.identity) return before;
    const driver = known ?? { identity: '', plugin: undefined, failed: false };
    try {
      driver.plugin = await this.deps.probe({ name: driverNameOf(path), executable: executableOf(path) });
      driver.failed = false;
    } catch (error) {
      const message = `error creating Flexvolume plugin from directory ${path}, skipping. Error: ${messageOf(error)}`;
      if (!driver.failed) this.deps.logger.error(message);
      driver.failed = true;
    }
    // Whatever the driver itself changed in its folder is no reason to probe it again, another executable is.
    const after = await readDriverFolder(path, watch);
    driver.identity = after.executable === before.executable ? after.identity : '';
    if (after.executable === undefined || this.stopped) this.drivers.delete(path);
    else this.drivers.set(path, driver);
    return after;
  }

  private forget(folders: ReadonlySet<string>, watched: ReadonlySet<string>): void {
    for (const folder of [...this.drivers.keys()]) if (!folders.has(folder)) this.drivers.delete(folder);
    for (const [folder, watch] of this.watches) {
      if (watched.has(folder)) continue;
      watch.close();
      this.watches.delete(folder);
    }
  }

  /** Watches the folder from now on. */
  private async watch(directory: string): Promise<DirectoryWatch> {
    const { clock, logger, watchDirectory } = this.deps;
    const onChange = (): void => void this.scan();
    const onLost = (error: unknown, retryMs: number | undefined): void =>
      logger.warn('A folder of FlexVolume drivers cannot be watched', { directory, error, retryMs });
    const watch =
      this.watches.get(directory) ??
      new DirectoryWatch(
        { clock, ...(watchDirectory && { watchDirectory }) },
        { directory, settle, retry, onChange, onLost },
      );
    this.watches.set(directory, watch);
    await watch.renew();
    return watch;
  }
}
