import { createHash, randomUUID } from 'node:crypto';
import { access, appendFile, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { distributionArchive, readMachineSources, renderSource, type AptSource } from './apt-sources.js';
import { isMissing, runCommand, tryCommand } from './commands.js';

/** `PODWRIGHT_LAB_CACHE`, else a folder below the user's cache folder. */
export function defaultCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_CACHE_HOME'] ?? path.join(env['HOME'] ?? os.homedir(), '.cache');
  return env['PODWRIGHT_LAB_CACHE'] ?? path.join(base, 'podwright', 'lab');
}

/** Fetches Debian packages and unpacks them into the cache; installs nothing on the machine. */
export class PackageStore {
  private readonly updated = new Map<string, Promise<string>>();

  private constructor(
    private readonly dirs: { readonly cache: string; readonly work: string },
    private readonly archive: AptSource,
    /** The suite of the machine itself: its libraries match the machine's libc. */
    readonly codename: string,
    private readonly log: (line: string) => void,
  ) {}

  static async open(cacheDir: string, log: (line: string) => void): Promise<PackageStore> {
    const codename = /^VERSION_CODENAME="?([^"\n]+)/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1];
    const archive = codename === undefined ? undefined : distributionArchive(await readMachineSources(), codename);
    if (codename === undefined || archive === undefined) {
      throw new Error(
        "the machine's apt sources name no archive of its own suite: install the missing programs yourself",
      );
    }
    await mkdir(cacheDir, { recursive: true });
    await removeAbandonedWork(cacheDir);
    const work = await mkdtemp(path.join(cacheDir, `.work-${process.pid}-`));
    return new PackageStore({ cache: cacheDir, work }, archive, codename, log);
  }

  /** Removes the private apt state; unpacked packages stay. */
  async close(): Promise<void> {
    await rm(this.dirs.work, { recursive: true, force: true });
  }

  /** The version that a suite would install; undefined when the suite or the package does not exist. */
  async candidate(suite: string, name: string): Promise<string | undefined> {
    const config = await this.update(suite).catch((error: unknown) => {
      this.log(`suite ${suite} cannot be read: ${String(error)}`);
    });
    if (config === undefined) return undefined;
    const { stdout } = await tryCommand('apt-cache', ['show', '--no-all-versions', name], { env: aptEnv(config) });
    return /^Version: (?:\d+:)?(\S+)/m.exec(stdout)?.[1];
  }

  /**
   * Unpacks `names` from `suite` into one folder and returns it. An existing folder is complete, because it is renamed
   * into place.
   */
  async unpack(group: string, suite: string, names: readonly string[]): Promise<string> {
    const target = groupDir(this.dirs.cache, group, names);
    if (await exists(target)) return target;
    const config = await this.update(suite);
    this.log(`fetching ${names.join(', ')} of ${suite}`);
    const debs = await mkdtemp(path.join(this.dirs.work, 'debs-'));
    await runCommand('apt-get', ['-q', 'download', ...names], { env: aptEnv(config), cwd: debs });
    await this.unpackFiles(await debsIn(debs), suite, target);
    return target;
  }

  /**
   * Unpacks `names` of the machine's own suite with their dependencies into one folder and returns it, without the
   * packages that `without` matches. An existing folder is complete.
   */
  async unpackWithDependencies(group: string, names: readonly string[], without: RegExp): Promise<string> {
    const target = groupDir(this.dirs.cache, group, names);
    if (await exists(target)) return target;
    const files = await this.downloadWithDependencies([this.codename], names);
    const wanted = files.filter((file) => !without.test(path.basename(file)));
    await this.unpackFiles(wanted, this.codename, target);
    return target;
  }

  /**
   * Downloads `names` and their dependencies, without recommendations, as if nothing were installed. Packages come from
   * the first suite; those named `NAME/SUITE`, and dependencies that only they need, from another one of `suites`.
   * Resolves with the files, which `close` removes.
   */
  async downloadWithDependencies(suites: readonly string[], names: readonly string[]): Promise<string[]> {
    const config = await this.update(...suites);
    this.log(`fetching ${names.join(', ')} of ${suites.join(' and ')}, and what they need`);
    // The list of installed packages is /dev/null, so there is nothing to lock, and no lock file can be put beside it.
    const options = ['-q', '-y', '--no-install-recommends', '--download-only', '-o', 'Debug::NoLocking=true'];
    const archives = path.join(this.dirs.work, `debs-${randomUUID()}`);
    await mkdir(path.join(archives, 'partial'), { recursive: true });
    await runCommand(
      'apt-get',
      [
        ...options,
        '-o',
        `APT::Default-Release=${suites[0]}`,
        '-o',
        `Dir::Cache::archives=${archives}`,
        'install',
        ...names,
      ],
      { env: aptEnv(config), timeoutMs: 300_000 },
    );
    return debsIn(archives);
  }

  /** A temporary folder on the disk of the cache; `close` removes it. */
  async workFolder(name: string): Promise<string> {
    return mkdtemp(path.join(this.dirs.work, `${name}-`));
  }

  private async unpackFiles(files: readonly string[], suite: string, target: string): Promise<void> {
    const root = await mkdtemp(path.join(this.dirs.work, 'root-'));
    for (const file of files) await runCommand('dpkg-deb', ['-x', file, root]);
    const record = { suite, files: files.map((file) => path.basename(file)) };
    await writeFile(path.join(root, 'podwright-lab.json'), JSON.stringify(record, undefined, 2));
    await rename(root, target).catch(async (error: unknown) => {
      // Another lab was faster; its folder is equivalent.
      if (!(await exists(target))) throw error;
    });
  }

  private update(...suites: readonly string[]): Promise<string> {
    const key = suites.join('-');
    const known = this.updated.get(key) ?? this.writeAptState(key, suites);
    this.updated.set(key, known);
    return known;
  }

  private async writeAptState(name: string, suites: readonly string[]): Promise<string> {
    const dir = path.join(this.dirs.work, `apt-${name}`);
    const dirs = ['lists/partial', 'archives/partial', 'sources', 'parts', 'preferences'];
    for (const name of dirs) await mkdir(path.join(dir, name), { recursive: true });
    const stanzas = suites.map((suite) => renderSource(this.archive, suite));
    await writeFile(path.join(dir, 'sources/lab.sources'), stanzas.join('\n'));
    await writeFile(
      path.join(dir, 'parts/transport.conf'),
      transportSettings(await runCommand('apt-config', ['dump'])),
    );
    const config = path.join(dir, 'apt.conf');
    await writeFile(config, renderAptConfig(dir));
    const { code, stdout, stderr } = await tryCommand('apt-get', ['-q', 'update'], { env: aptEnv(config) });
    if (code === 0) return config;
    if (!/Release file .* is (?:expired|not valid yet)/.test(stderr)) {
      throw new Error(`apt-get update of ${suites.join(' and ')} exited with ${code}: ${(stderr || stdout).trim()}`);
    }
    // The mirror is outdated, or this machine's clock is wrong. The signature still proves the origin of the packages.
    this.log(`the mirror's index of ${suites.join(' or ')} is expired or not valid yet; using it anyway`);
    await appendFile(config, 'Acquire::Check-Valid-Until "false";\nAcquire::Check-Date "false";\n');
    await runCommand('apt-get', ['-q', 'update'], { env: aptEnv(config) });
    return config;
  }
}

async function debsIn(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((file) => file.endsWith('.deb')).map((file) => path.join(dir, file));
}

/** Removes the working folders of killed runs; a folder's name contains the pid. */
async function removeAbandonedWork(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const pid = /^\.work-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || (await exists(`/proc/${pid}`))) continue;
    await rm(path.join(cacheDir, name), { recursive: true, force: true });
  }
}

/** The folder for a group of packages, whether it exists or not. Another list of packages gives another folder. */
export function groupDir(cacheDir: string, group: string, names: readonly string[]): string {
  return path.join(cacheDir, `${group}-${createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 8)}`);
}

/** An apt configuration that uses only the machine's keys: own lists, no installed packages, no hooks, no pins. */
export function renderAptConfig(dir: string): string {
  const entries: readonly (readonly [string, string])[] = [
    ['Dir::State', dir],
    ['Dir::State::lists', `${dir}/lists`],
    ['Dir::State::status', '/dev/null'],
    ['Dir::Cache', dir],
    ['Dir::Cache::archives', `${dir}/archives`],
    ['Dir::Etc::main', '/dev/null'],
    ['Dir::Etc::parts', `${dir}/parts`],
    ['Dir::Etc::sourcelist', '/dev/null'],
    ['Dir::Etc::sourceparts', `${dir}/sources`],
    ['Dir::Etc::preferences', '/dev/null'],
    ['Dir::Etc::preferencesparts', `${dir}/preferences`],
    // apt's unprivileged download user may not write below a home folder.
    ['APT::Sandbox::User', 'root'],
    ['Acquire::Languages', 'none'],
  ];
  return entries.map(([key, value]) => `${key} "${value}";\n`).join('');
}

/**
 * The machine's settings for reaching its mirror (proxies, certificates, retries, date checks), from `apt-config dump`.
 */
export function transportSettings(dump: string): string {
  const wanted = /^Acquire::(https?|ftp|Retries|Check-Valid-Until|Check-Date|ForceIPv[46])\b.* "[^"]+";$/i;
  return dump
    .split('\n')
    .filter((line) => wanted.test(line))
    .map((line) => `${line}\n`)
    .join('');
}

function aptEnv(config: string): NodeJS.ProcessEnv {
  return { ...process.env, APT_CONFIG: config, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
}

export async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
