import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pullImage } from './cri-ready.js';
import { crioEnvironment, writeCrioConfiguration } from './crio-config.js';
import { pushImages } from './crio-images.js';
import { findCrio, wantsCrio, type CrioPrograms } from './crio-programs.js';
import { findBinaries, provideIptables, type Binaries, type ContainerdSeries } from './binaries.js';
import { createCgroup } from './cgroups.js';
import { removeLab } from './cleanup.js';
import { waitUntil } from './commands.js';
import { renderContainerdConfig } from './containerd-config.js';
import { mountDataDisk } from './data-disk.js';
import { buildTestImages, labImages, testImageSpecs } from './images/test-images.js';
import { Lab, openLab } from './lab.js';
import { labLayout, type LabLayout } from './layout.js';
import { createBridge } from './links.js';
import { claimNetwork, renderCniConfig } from './network.js';
import { isAlive, readIdentity, writeIdentity } from './owner.js';
import { exists } from './packages.js';
import { writeRecord, type LabRecord } from './record.js';
import { signal } from './processes.js';
import { startRegistry } from './registry.js';
import { labSupport, mayLowerOomScores } from './support.js';

export interface StartLabOptions {
  /** Default: CRI-O if `PODWRIGHT_CRIO` names one, else containerd '2'. */
  readonly containerd?: ContainerdSeries;
  /**
   * Labs with different names run side by side. What a crashed lab of the same name left is removed first. Default: by
   * pid.
   */
  readonly name?: string;
  /** Also starts a registry on loopback; without `port` or with 0, on a free port. Default: none. */
  readonly registry?: boolean | { readonly port?: number };
  /**
   * Ties the lab to this process: when the process was killed, the next start with this name replaces the lab. Default
   * false.
   */
  readonly owned?: boolean;
  /** Puts images and snapshots on a file system of this size, which a test can fill. Default: the machine's. */
  readonly dataDiskMiB?: number;
  /**
   * Further runtime handlers of containerd, each with the program that runs in the place of runc: a path, or a name in
   * the lab's PATH, such as that of a script in `layout.toolsDir`. Default: none.
   */
  readonly runtimes?: Readonly<Record<string, string>>;
  readonly cacheDir?: string;
  readonly log?: (line: string) => void;
}

/**
 * Starts a lab; resolves when it can run pods. Throws when the machine does not support a lab, when a lab of this name
 * is running, or when a step fails; it then removes what it made.
 */
export async function startLab(options: StartLabOptions = {}): Promise<Lab> {
  const support = labSupport();
  if (!support.ok) throw new Error(support.reason);
  const {
    containerd,
    name = `p${process.pid}`,
    registry = false,
    owned = false,
    dataDiskMiB,
    runtimes = {},
    cacheDir,
    log = () => undefined,
  } = options;
  const crio = containerd === undefined && wantsCrio() ? findCrio() : undefined;
  if (typeof crio === 'string') throw new Error(crio);
  const series = containerd ?? '2';
  const layout = labLayout(name);
  await refuseWhenInUse(layout);
  await removeLab(layout, log);
  const binaries = await findBinaries({
    series,
    // CRI-O gets the test images from there.
    registry: registry !== false || crio !== undefined,
    log,
    ...(cacheDir === undefined ? {} : { cacheDir }),
  });
  try {
    if (owned) await claim(layout);
    const port = typeof registry === 'object' && registry.port !== 0 ? registry.port : undefined;
    return await bringUp({
      layout,
      series,
      binaries,
      log,
      runtimes,
      keepsRegistry: registry !== false,
      ...(crio !== undefined && { crio }),
      ...(port === undefined ? {} : { port }),
      ...(dataDiskMiB === undefined ? {} : { dataDiskMiB }),
    });
  } catch (error) {
    await removeLab(layout, log);
    throw error;
  }
}

async function refuseWhenInUse({ name, ownerFile }: LabLayout): Promise<void> {
  const owner = await readIdentity(ownerFile);
  if (owner !== undefined && !isAlive(owner)) return;
  if (owner !== undefined && owner.pid !== process.pid)
    throw new Error(
      `lab ${name} is in use by process ${owner.pid}, which is running; end it with \`kill ${owner.pid}\`, ` +
        `or run \`npm run lab -- down --name ${name}\` once it is gone`,
    );
  if ((await (await openLab(name))?.running()) === true)
    throw new Error(`lab ${name} is running already; remove it with: npm run lab -- down --name ${name}`);
}

async function claim({ runDir, ownerFile }: LabLayout): Promise<void> {
  await mkdir(runDir, { recursive: true });
  await writeIdentity(ownerFile, process.pid);
}

interface Start {
  readonly layout: LabLayout;
  readonly series: ContainerdSeries;
  readonly binaries: Binaries;
  readonly log: (line: string) => void;
  readonly runtimes: Readonly<Record<string, string>>;
  readonly crio?: CrioPrograms;
  /** False when the registry only hands the test images to CRI-O. */
  readonly keepsRegistry: boolean;
  readonly port?: number;
  readonly dataDiskMiB?: number;
}

async function bringUp(start: Start): Promise<Lab> {
  const { layout, series, binaries, log, runtimes, crio, keepsRegistry, port, dataDiskMiB } = start;
  const { runDir, dataDir, toolsDir, cniConfDir, hostsDir, cdiDir } = layout;
  for (const dir of [runDir, dataDir, toolsDir, cniConfDir, hostsDir, cdiDir]) {
    await mkdir(dir, { recursive: true });
  }
  if (dataDiskMiB !== undefined) await mountDataDisk(layout, dataDiskMiB);
  const env = toolEnv(layout, binaries);
  const network = await claimNetwork(layout.name);
  const portMappings = await provideIptables(binaries, layout.toolsDir, { ...process.env, ...env });
  if (!portMappings) log('iptables does not work here: pods get no host ports');
  await provideIp(binaries, layout.toolsDir);
  await createBridge(network, layout);
  await writeFile(path.join(layout.cniConfDir, '10-lab.conflist'), renderCniConfig(layout, network, portMappings));
  await createCgroup(layout.cgroupRoot);
  const registry =
    binaries.registry === undefined
      ? undefined
      : await startRegistry({
          layout,
          program: binaries.registry,
          env: { ...process.env, ...env },
          ...(port === undefined ? {} : { port }),
        });
  const record: LabRecord = {
    name: layout.name,
    ...(crio === undefined ? { series } : {}),
    runtime: crio === undefined ? 'containerd' : 'cri-o',
    daemon: crio?.crio ?? binaries.containerd,
    daemonEnv: crio === undefined ? {} : crioEnvironment(layout),
    ctr: binaries.ctr,
    cniDir: binaries.cniDir,
    portMappings,
    network,
    images: labImages,
    env,
    ...(registry !== undefined &&
      keepsRegistry && { registry: { address: registry.address, busybox: `${registry.address}/busybox:1` } }),
  };
  const address = registry?.address;
  await writeConfiguration({
    layout,
    series,
    binaries,
    env,
    runtimes,
    ...(crio && { crio }),
    ...(address && { address }),
  });
  const lab = new Lab(layout, record, log);
  await lab.startRuntime();
  if (crio === undefined) await importImages(lab, binaries.busybox);
  else if (registry !== undefined) {
    await pushImages(registry.address, await testImageSpecs(binaries.busybox));
    for (const image of Object.values(lab.images)) await pullImage(lab.endpoint, image);
    if (!keepsRegistry) signal(registry.pid, 'SIGKILL');
  }
  await writeRecord(layout, record);
  return lab;
}

async function writeConfiguration(options: {
  layout: LabLayout;
  series: ContainerdSeries;
  binaries: Binaries;
  env: Readonly<Record<string, string>>;
  runtimes: Readonly<Record<string, string>>;
  crio?: CrioPrograms;
  address?: string;
}): Promise<void> {
  const { layout, series, binaries, env, runtimes, crio, address = '' } = options;
  const apparmor = (await exists('/sys/module/apparmor/parameters/enabled'))
    ? (await readFile('/sys/module/apparmor/parameters/enabled', 'utf8')).startsWith('Y')
    : false;
  const { cniDir } = binaries;
  const restrictOomScoreAdj = !mayLowerOomScores(await readFile('/proc/self/status', 'utf8'));
  if (crio !== undefined) {
    await mkdir(path.dirname(layout.crioSocket), { recursive: true });
    const { runc: runcProgram } = binaries;
    await writeCrioConfiguration({
      ...{ layout, programs: crio, cniDir, registry: address, env, apparmor },
      ...{ runcProgram, restrictOomScoreAdj },
    });
    return;
  }
  const pauseImage = labImages.pause;
  await writeFile(
    layout.configFile,
    renderContainerdConfig({ series, layout, pauseImage, cniDir, restrictOomScoreAdj, apparmor, runtimes }),
  );
}

async function importImages(lab: Lab, busybox: string): Promise<void> {
  const archive = path.join(lab.layout.dataDir, 'images.tar');
  await writeFile(archive, await buildTestImages(busybox));
  await lab.ctr(['images', 'import', archive]);
  // CRI learns of images through an event; until then it would try to pull them.
  const known = await waitUntil(
    async () => {
      const lines = (await lab.ctr(['images', 'list'])).split('\n');
      return Object.values(lab.images).every((name) =>
        lines.some((line) => line.startsWith(`${name} `) && line.includes('io.cri-containerd.image=managed')),
      );
    },
    { timeoutMs: 10_000, everyMs: 50 },
  );
  if (!known) throw new Error('the CRI does not list the imported images');
  if (lab.registry === undefined) return;
  await lab.ctr(['images', 'tag', lab.images.busybox, lab.registry.busybox]);
  await lab.ctr(['images', 'push', '--plain-http', lab.registry.busybox]);
  // Only the registry keeps this name, so that the first pull of it is a real one.
  await lab.ctr(['images', 'remove', '--sync', lab.registry.busybox]);
}

function toolEnv(layout: LabLayout, binaries: Binaries): Record<string, string> {
  const dirs = [
    layout.toolsDir,
    ...binaries.path,
    process.env['PATH'] ?? '',
    '/usr/sbin',
    '/sbin',
    ...binaries.toolPath,
  ];
  const libraries = [...binaries.libraryPath, process.env['LD_LIBRARY_PATH'] ?? ''].filter((dir) => dir !== '');
  return {
    PATH: dirs.join(':'),
    ...(libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(':') }),
    ...(binaries.iptables === undefined ? {} : { XTABLES_LIBDIR: binaries.iptables.extensions }),
  };
}

/** For machines without iproute2: busybox has an `ip` that can create and remove a bridge. */
async function provideIp(binaries: Binaries, toolsDir: string): Promise<void> {
  const present = await Promise.all(['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip'].map(exists));
  if (!present.some(Boolean)) await symlink(binaries.busybox, path.join(toolsDir, 'ip'));
}
