import { access, mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cgroupHierarchies } from '@podwright/cgroup-files';
import { errorCode, isMissing, unlessMissing, waitUntil } from './commands.js';
import { signal } from './processes.js';

/** Mount points of all cgroup hierarchies, v1 and v2. */
async function hierarchies(): Promise<string[]> {
  return [...new Set((await cgroupHierarchies()).map(({ mountPoint }) => mountPoint))];
}

/** Creates a cgroup in every hierarchy. A v1 cpuset starts empty and takes no process until it is filled. */
export async function createCgroup(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    const dir = path.join(hierarchy, name);
    await mkdir(dir, { recursive: true });
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      const inherited = await unlessMissing(readFile(path.join(hierarchy, file), 'utf8'));
      const own = await unlessMissing(readFile(path.join(dir, file), 'utf8'));
      if (own?.trim() === '' && inherited !== undefined) await writeFile(path.join(dir, file), inherited.trim());
    }
    await delegateControllers(hierarchy, dir);
  }
}

/** Folders of those of the cgroups (names begin with a slash) that exist, in all hierarchies; not of their children. */
export async function existingCgroups(names: readonly string[]): Promise<string[]> {
  const dirs = (await hierarchies()).flatMap((hierarchy) => names.map((name) => path.join(hierarchy, name)));
  const found = await Promise.all(
    dirs.map(async (dir) => ((await unlessMissing(access(dir).then(() => true))) ? [dir] : [])),
  );
  return found.flat();
}

/** Kills all processes in a cgroup tree and removes the tree, in all hierarchies. */
export async function removeCgroupTree(name: string): Promise<void> {
  for (const dir of await existingCgroups([name])) {
    const removed = await waitUntil(() => tryRemoveTree(dir), { timeoutMs: 10_000 });
    if (!removed) throw new Error(`cgroup ${dir} cannot be removed: a process in it does not exit`);
  }
}

/** Removes a cgroup and then its empty parents; a cgroup in use stays. */
export async function removeEmptyCgroups(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    for (let current = name; current !== '/' && current !== '.'; current = path.posix.dirname(current)) {
      if (!(await tryRemove(path.join(hierarchy, current)))) break;
    }
  }
}

async function tryRemoveTree(dir: string): Promise<boolean> {
  const entries = (await unlessMissing(readdir(dir, { withFileTypes: true }))) ?? [];
  for (const entry of entries.filter((candidate) => candidate.isDirectory())) {
    if (!(await tryRemoveTree(path.join(dir, entry.name)))) return false;
  }
  const pids = (await unlessMissing(readFile(path.join(dir, 'cgroup.procs'), 'utf8'))) ?? '';
  for (const pid of pids.split('\n').map(Number)) {
    if (pid > 0) signal(pid, 'SIGKILL');
  }
  return tryRemove(dir);
}

async function tryRemove(dir: string): Promise<boolean> {
  try {
    await rmdir(dir);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (errorCode(error) === 'EBUSY' || errorCode(error) === 'ENOTEMPTY') return false;
    throw error;
  }
}

/** On v2 a child only has the controllers that its parent passes on. */
async function delegateControllers(hierarchy: string, dir: string): Promise<void> {
  const available = await unlessMissing(readFile(path.join(hierarchy, 'cgroup.controllers'), 'utf8'));
  const controllers = available?.split(/\s+/).filter((name) => name !== '') ?? [];
  for (const parent of [hierarchy, dir]) {
    for (const controller of controllers) {
      // A controller that the parent lacks is not available to the lab's pods either.
      await writeFile(path.join(parent, 'cgroup.subtree_control'), `+${controller}`).catch(() => undefined);
    }
  }
}
