import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pageSizeName } from './linux-resources.js';

/** What the containers' configuration depends on and only the node can tell. It does not change while the node runs. */
export interface HostFacts {
  /** Sizes of huge pages that the kernel knows, as `2MB`. */
  readonly hugePageSizes: readonly string[];
  /** Paths hidden from containers. */
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

/** Reads the facts below `sysDir` (normally `/sys`). What is missing there counts as absent; never rejects. */
export async function readHostFacts(sysDir: string): Promise<HostFacts> {
  const [hugePages, cpus] = await Promise.all([
    namesIn(join(sysDir, 'kernel/mm/hugepages')),
    namesIn(join(sysDir, 'devices/system/cpu')),
  ]);
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
  return {
    hugePageSizes: hugePages.flatMap((name) => {
      const kilobytes = /^hugepages-(\d+)kB$/.exec(name)?.[1];
      return kilobytes === undefined ? [] : [pageSizeName(BigInt(kilobytes) * 1024n)];
    }),
    maskedPaths: [...alwaysMasked, ...throttles.flat()],
  };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}
