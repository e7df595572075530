import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Facts about the node that container configurations depend on. They do not change while the node runs. */
export interface HostFacts {
  /** Paths that are hidden from containers. */
  readonly maskedPaths: readonly string[];
}

const alwaysMasked = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
];

/** Reads the facts below `sysDir` (normally `/sys`). Missing files count as absent; never rejects. */
export async function readHostFacts(sysDir: string): Promise<HostFacts> {
  const cpus = await namesIn(join(sysDir, 'devices/system/cpu'));
  const cpuNames = cpus.filter((name) => /^cpu\d+$/.test(name)).sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
  const throttles = await Promise.all(
    cpuNames.map(async (name) => {
      const path = `devices/system/cpu/${name}/thermal_throttle`;
      const found = await stat(join(sysDir, path)).then(
        () => true,
        () => false,
      );
      return found ? [`/sys/${path}`] : [];
    }),
  );
  return { maskedPaths: [...alwaysMasked, ...throttles.flat()] };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}
