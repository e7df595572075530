import { access, readFile, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { readBundles, type BundleTraces } from './bundles.js';
import { existingCgroups, removeCgroupTree, removeEmptyCgroups } from './cgroups.js';
import { unlessMissing } from './commands.js';
import { labHomes, slotsDir, type LabLayout } from './layout.js';
import { labLinks, removeBridge } from './links.js';
import { labMounts, unmountAll } from './mounts.js';
import { claimedBridges, releaseNetworks } from './network.js';
import { exists } from './packages.js';
import { CNI_RESULTS, removePortMappings } from './port-mappings.js';
import { killLabProcesses, labProcesses } from './processes.js';

/** Everything a lab still has on the machine; all lists empty means it is gone. */
export interface Leftovers {
  readonly processes: readonly string[];
  readonly mounts: readonly string[];
  readonly links: readonly string[];
  readonly cgroups: readonly string[];
  readonly files: readonly string[];
}

/** What must be known before the lab's folders are removed, because nothing else tells it. */
interface Traces {
  readonly bundles: readonly BundleTraces[];
  readonly bridges: readonly string[];
}

export async function readTraces(layout: LabLayout): Promise<Traces> {
  return { bundles: await readBundles(layout), bridges: await claimedBridges(layout.name) };
}

/**
 * Looks for anything of the lab on the machine. `traces`, taken while the lab lived, widens the search to what only
 * its folders tell: the containers' cgroups and shim sockets, and the bridge.
 */
export async function leftovers(layout: LabLayout, traces?: Traces): Promise<Leftovers> {
  const { bundles, bridges } = traces ?? (await readTraces(layout));
  const processes = await labProcesses(layout);
  const podCgroups = bundles.flatMap(({ cgroup }) =>
    cgroup === undefined ? [] : [cgroup, path.posix.dirname(cgroup)],
  );
  const candidates = [...labHomes.map((home) => path.join(home, layout.name)), ...bundles.flatMap(shimSockets)];
  return {
    processes: processes.map(({ pid, command }) => `${pid} ${command}`),
    mounts: await labMounts(layout),
    links: await labLinks(bridges),
    cgroups: await existingCgroups([layout.cgroupRoot, ...new Set(podCgroups.filter((name) => name !== '/'))]),
    files: [...(await filter(candidates, exists)), ...(await cniResults(layout))],
  };
}

/** Removes every trace of a lab, running or crashed, also when called twice. Throws when something will not go. */
export async function removeLab(layout: LabLayout, log: (line: string) => void): Promise<void> {
  const traces = await readTraces(layout);
  await killLabProcesses(layout);
  await unmountAll(layout, log);
  for (const bridge of traces.bridges) await removeBridge(bridge, layout);
  await removePortMappings(layout);
  await removeCgroupTree(layout.cgroupRoot);
  for (const { cgroup } of traces.bundles) if (cgroup !== undefined) await removeEmptyCgroups(cgroup);
  for (const file of [...traces.bundles.flatMap(shimSockets), ...(await cniResults(layout))])
    await rm(file, { force: true });
  await rm(layout.dataDir, { recursive: true, force: true });
  await rm(layout.runDir, { recursive: true, force: true });
  await releaseNetworks(layout.name);
  await removeSharedFolders();
  const left = describeLeftovers(await leftovers(layout, traces));
  if (left.length > 0) throw new Error(`lab ${layout.name} is not gone: ${left.join('; ')}`);
}

/** One line per kind of thing that is left. */
export function describeLeftovers(left: Leftovers): string[] {
  return Object.entries(left).flatMap(([kind, items]: [string, readonly string[]]) =>
    items.length === 0 ? [] : [`${kind}: ${items.join(', ')}`],
  );
}

/** CNI's record of an attachment. The folder is CNI's own, shared with other users of it, so each is looked into. */
async function cniResults(layout: LabLayout): Promise<string[]> {
  const names = (await unlessMissing(readdir(CNI_RESULTS))) ?? [];
  return filter(
    names.map((name) => path.join(CNI_RESULTS, name)),
    async (file) => {
      if (path.basename(file).startsWith(`${layout.network}-`)) return true;
      return ((await unlessMissing(readFile(file, 'utf8'))) ?? '').includes(`${layout.runDir}/`);
    },
  );
}

function shimSockets({ shimSocket }: BundleTraces): string[] {
  return shimSocket === undefined ? [] : [shimSocket];
}

/**
 * Folders that containerd and CNI make outside of the lab, empty by now. Not while another runtime is alive: it may
 * have made one of them this instant and be about to put a file there.
 */
async function removeSharedFolders(): Promise<void> {
  for (const dir of [slotsDir, ...labHomes]) await removeIfEmpty(dir);
  const users = await filter([...labHomes, '/run/containerd/containerd.sock', '/run/crio', '/run/docker'], exists);
  if (users.length > 0) return;
  for (const dir of ['/run/containerd/s', '/run/containerd/fifo', '/run/containerd', CNI_RESULTS, '/var/lib/cni']) {
    await removeIfEmpty(dir);
  }
}

async function removeIfEmpty(dir: string): Promise<void> {
  const empty = (await unlessMissing(access(dir).then(() => readdir(dir))))?.length === 0;
  if (empty) await unlessMissing(rmdir(dir));
}

async function filter(files: readonly string[], keep: (file: string) => Promise<boolean>): Promise<string[]> {
  const kept = await Promise.all([...new Set(files)].map(async (file) => ((await keep(file)) ? [file] : [])));
  return kept.flat();
}
