import { access, readFile, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { readBundles, type BundleTraces } from './bundles.js';
import { existingCgroups, removeCgroupTree, removeEmptyCgroups } from './cgroups.js';
import { unlessMissing } from './commands.js';
import { crioAttachHome, labHomes, slotsDir, type LabLayout } from './layout.js';
import { labLinks, removeBridge } from './links.js';
import { loopDevicesBelow } from './loop-devices.js';
import { labMounts, unmountAll } from './mounts.js';
import { claimedBridges, releaseNetworks } from './network.js';
import { exists } from './packages.js';
import { CNI_RESULTS, removePortMappings } from './port-mappings.js';
import { killLabProcesses, labProcesses } from './processes.js';

/** Everything that a lab still has on the machine; all lists are empty when it is removed. */
export interface Leftovers {
  readonly processes: readonly string[];
  readonly mounts: readonly string[];
  readonly loopDevices: readonly string[];
  readonly links: readonly string[];
  readonly cgroups: readonly string[];
  readonly files: readonly string[];
}

/** Facts to read before the lab's folders are removed, because they are recorded only there. */
interface Traces {
  readonly bundles: readonly BundleTraces[];
  readonly bridges: readonly string[];
}

export async function readTraces(layout: LabLayout): Promise<Traces> {
  return { bundles: await readBundles(layout), bridges: await claimedBridges(layout.name) };
}

/**
 * Searches the machine for remains of the lab. `traces` has what only the lab's folders record: the containers' cgroups
 * and shim sockets, and the bridge. Pass traces that were read while the lab existed.
 */
export async function leftovers(layout: LabLayout, traces?: Traces): Promise<Leftovers> {
  const { bundles, bridges } = traces ?? (await readTraces(layout));
  const processes = await labProcesses(layout);
  const podCgroups = bundles.flatMap(({ cgroup }) =>
    cgroup === undefined ? [] : [cgroup, path.posix.dirname(cgroup)],
  );
  const folders = [...labHomes.map((home) => path.join(home, layout.name)), layout.crioAttachDir];
  const candidates = [...folders, ...bundles.flatMap(shimSockets)];
  return {
    processes: processes.map(({ pid, command }) => `${pid} ${command}`),
    mounts: await labMounts(layout),
    loopDevices: await loopDevicesBelow([layout.runDir, layout.dataDir]),
    links: await labLinks(bridges),
    cgroups: await existingCgroups([layout.cgroupRoot, ...new Set(podCgroups.filter((name) => name !== '/'))]),
    files: [...(await filter(candidates, exists)), ...(await cniResults(layout))],
  };
}

/**
 * Removes every trace of a lab, running or crashed; a second call does nothing. Throws when something cannot be
 * removed.
 */
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
  for (const dir of [layout.dataDir, layout.runDir, layout.crioAttachDir])
    await rm(dir, { recursive: true, force: true });
  await releaseNetworks(layout.name);
  await removeSharedFolders();
  const left = describeLeftovers(await leftovers(layout, traces));
  if (left.length > 0) throw new Error(`lab ${layout.name} could not be removed: ${left.join('; ')}`);
}

/** One line per kind of remains. */
export function describeLeftovers(left: Leftovers): string[] {
  return Object.entries(left).flatMap(([kind, items]: [string, readonly string[]]) =>
    items.length === 0 ? [] : [`${kind}: ${items.join(', ')}`],
  );
}

/** CNI's records of attachments. The folder is shared with other users of CNI, so the content decides. */
async function cniResults(layout: LabLayout): Promise<string[]> {
  const names = (await unlessMissing(readdir(CNI_RESULTS))) ?? [];
  return filter(
    names.map((name) => path.join(CNI_RESULTS, name)),
    async (file) => {
      if (isResultOf(layout.network, path.basename(file))) return true;
      return ((await unlessMissing(readFile(file, 'utf8'))) ?? '').includes(`${layout.runDir}/`);
    },
  );
}

/** The id of a sandbox follows: the name of another lab's network may begin with this one. */
export const isResultOf = (network: string, file: string): boolean =>
  file.startsWith(`${network}-`) && /^[0-9a-f]{64}-/.test(file.slice(network.length + 1));

function shimSockets({ shimSocket }: BundleTraces): string[] {
  return shimSocket === undefined ? [] : [shimSocket];
}

/**
 * Removes empty folders that containerd and CNI made outside the lab. Not while another runtime is running: it may have
 * just created one of them to put a file there.
 */
async function removeSharedFolders(): Promise<void> {
  for (const dir of [slotsDir, crioAttachHome, ...labHomes]) await removeIfEmpty(dir);
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
