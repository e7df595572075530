import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cgroupHierarchies } from '@podwright/cgroup-files';
import { createMemoryLogger } from '@podwright/logging';
import { createSystemClock } from '@podwright/time';
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createOnDemandCgroupStats } from './cgroup-stats.module.js';
import { cgroupLayout } from './read/cgroup-layout.js';

const name = '/podwright-cgroup-stats-spec';
const container = `${name}/kubepods/pod1/${'e'.repeat(64)}`;

/** Why there is nothing to read here; undefined when there is. */
function missing(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (!/ - cgroup2? /.test(readFileSync('/proc/self/mountinfo', 'utf8'))) return 'no cgroup hierarchy is mounted';
  return process.getuid?.() === 0 ? undefined : 'making a cgroup needs root';
}

const reason = missing();
const suite = reason === undefined ? describe : describe.skip;
suite(`this machine's own cgroups${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  const stats = createOnDemandCgroupStats(
    { clock: createSystemClock(), logger: createMemoryLogger(0) },
    { cgroupRoot: name },
  );
  beforeAll(() => stats.start());
  afterAll(() => stats.stop());

  it('tell what the machine has and uses', async () => {
    const root = await stats.sample('/', { maxAgeMs: 0 });
    expect(stats.machine().memoryBytes).toBe(os.totalmem());
    expect(root?.limits.memoryLimit).toBe(os.totalmem());
    expect(root?.memory?.workingSet).toBeGreaterThan(0);
    expect(root?.memory?.workingSet).toBeLessThan(os.totalmem());
    expect(root?.cpu?.usageNs).toBeGreaterThan(0);
    const bootMs = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]) * 1000;
    expect(stats.machine().bootTimeMs).toBe(bootMs);
    expect(root?.createdMs).toBeGreaterThanOrEqual(bootMs - 60_000);
  });

  it('are found and read when they are new, and gone when they are gone', async () => {
    const layout = cgroupLayout(await cgroupHierarchies('/proc/self/mountinfo'));
    if (layout === undefined) throw new Error('no controllers');
    const made: string[] = [];
    try {
      for (const root of layout.directories('/')) {
        for (const part of container
          .slice(1)
          .split('/')
          .map((_, index, parts) => parts.slice(0, index + 1).join('/'))) {
          const directory = path.join(root, part);
          mkdirSync(directory, { recursive: true });
          made.unshift(directory);
        }
      }
      const before = Date.now();
      expect(await stats.containerPath('e'.repeat(64))).toBe(container);
      const sample = await stats.sample(container);
      expect(sample).toMatchObject({ path: container, processes: { count: 0, threads: 0 } });
      expect(Math.abs((sample?.createdMs ?? 0) - before)).toBeLessThan(10_000);
      expect((await stats.samples()).map((found) => found.path)).toContain(container);
    } finally {
      for (const directory of made) rmdirSync(directory);
    }
    expect(await stats.sample(container, { maxAgeMs: 0 })).toBeUndefined();
    // The machine may have others that come and go.
    const left = (await stats.samples({ maxAgeMs: 0 })).map((found) => found.path);
    expect(left).toContain('/');
    expect(left.filter((found) => found.startsWith(name))).toEqual([]);
  });
});
