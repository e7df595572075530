import { chmod, mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand, unlessMissing } from '../commands.js';
import { exists, type PackageStore } from '../packages.js';
import { recordPackages } from './dpkg-database.js';
import { PROGRAMS_DIR } from './guest-files.js';
import { recipeKey, type GuestRecipe } from './guest-recipe.js';
import { unpackAll, type VmTools } from './vm-tools.js';

const FOLDER_PREFIX = 'node-vm-guest-';
const KEPT_UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** A guest system in the cache. */
export interface GuestSystem {
  readonly disk: string;
  readonly kernel: string;
}

/** Finds the system of a recipe in the cache, or builds it there. */
export async function findGuest(
  recipe: GuestRecipe,
  { cacheDir, tools, openStore }: { cacheDir: string; tools: VmTools; openStore: () => Promise<PackageStore> },
): Promise<GuestSystem> {
  const folder = path.join(cacheDir, `${FOLDER_PREFIX}${recipeKey(recipe)}`);
  const system = { disk: path.join(folder, 'system.ext4'), kernel: path.join(folder, 'vmlinuz') };
  if (await exists(folder)) {
    await utimes(folder, new Date(), new Date());
    return system;
  }
  await removeForgotten(cacheDir);
  const store = await openStore();
  const built = await buildGuest(recipe, store, tools);
  await rename(built, folder).catch(async (error: unknown) => {
    if (!(await exists(folder))) throw error; // another run was faster
  });
  return system;
}

/** Removes disks that were not used for long: each working copy may have a recipe of its own. */
async function removeForgotten(cacheDir: string): Promise<void> {
  const names = (await readdir(cacheDir)).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const folder of names.map((name) => path.join(cacheDir, name))) {
    const used = (await unlessMissing(stat(folder)))?.mtimeMs ?? Date.now();
    if (Date.now() - used > KEPT_UNUSED_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function buildGuest(recipe: GuestRecipe, store: PackageStore, tools: VmTools): Promise<string> {
  const debs = await downloadPackages(recipe, store);
  const root = await store.workFolder('root');
  await chmod(root, 0o755);
  await unpackAll(debs, root);
  await recordPackages(debs, root);
  await configure(recipe, root);
  const built = await store.workFolder('guest');
  await copyFile(await kernelOf(root), path.join(built, 'vmlinuz'));
  await removeUnused(recipe, root);
  await tools.makeDisk(root, path.join(built, 'system.ext4'), recipe.diskMib);
  const packages = debs.map((file) => path.basename(file)).sort();
  await writeFile(path.join(built, 'packages.json'), JSON.stringify({ recipe, packages }, undefined, 2));
  await rm(root, { recursive: true, force: true });
  return built;
}

async function removeUnused(recipe: GuestRecipe, root: string): Promise<void> {
  const kept = (name: string): boolean => recipe.keepsKernelConfiguration === true && name.startsWith('config-');
  const ofBoot = (await readdir(path.join(root, 'boot'))).filter((name) => !kept(name));
  for (const folder of [...recipe.unusedFolders, ...ofBoot.map((name) => path.join('boot', name))])
    await rm(path.join(root, folder), { recursive: true, force: true });
}

async function downloadPackages(recipe: GuestRecipe, store: PackageStore): Promise<string[]> {
  for (const suite of recipe.runtimeSuites) {
    const version = await store.candidate(suite, 'containerd');
    if (version === undefined || !version.startsWith('2.')) continue;
    const suites = [...new Set([recipe.suite, suite])];
    const runtime = recipe.runtimePackages.map((name) => `${name}/${suite}`);
    return store.downloadWithDependencies(suites, [...recipe.packages, ...runtime]);
  }
  throw new Error("no suite of the machine's archive has containerd 2");
}

/** Does the part of the packages' install scripts that this guest needs. */
async function configure(recipe: GuestRecipe, root: string): Promise<void> {
  const inRoot = (file: string): string => path.join(root, file);
  await copyFile(inRoot('usr/share/base-passwd/passwd.master'), inRoot('etc/passwd'));
  await copyFile(inRoot('usr/share/base-passwd/group.master'), inRoot('etc/group'));
  await runCommand('chroot', [root, '/usr/bin/systemd-sysusers']);
  const [kernelVersion = ''] = await readdir(inRoot('usr/lib/modules'));
  await runCommand('chroot', [root, '/usr/sbin/depmod', '-a', kernelVersion]);
  for (const { path: file, text } of recipe.files) {
    await mkdir(path.dirname(inRoot(file)), { recursive: true });
    await rm(inRoot(file), { force: true });
    await writeFile(inRoot(file), text);
  }
  for (const [link, target] of recipe.links) {
    await mkdir(path.dirname(inRoot(link)), { recursive: true });
    await rm(inRoot(link), { recursive: true, force: true });
    await symlink(target, inRoot(link));
  }
  await mkdir(inRoot(PROGRAMS_DIR), { recursive: true });
  // Otherwise systemd treats the machine as just installed or updated.
  for (const folder of ['etc', 'var']) await writeFile(inRoot(`${folder}/.updated`), '');
}

async function kernelOf(root: string): Promise<string> {
  const kernel = (await readdir(path.join(root, 'boot'))).find((name) => name.startsWith('vmlinuz-'));
  if (kernel === undefined) throw new Error('the kernel package has no kernel');
  return path.join(root, 'boot', kernel);
}
