import { createHash } from 'node:crypto';
import path from 'node:path';

const STATE_HOME = '/run/podwright-lab';
const DATA_HOME = '/var/lib/podwright-lab';
/** One folder per lab with CRI-O. */
export const crioAttachHome = path.join(STATE_HOME, '.crio');

/**
 * The paths of a lab. They follow from its name alone, so that a lab can be found and removed after its process was
 * killed. They are short because a unix socket path has at most 107 bytes.
 */
export interface LabLayout {
  readonly name: string;
  /** Sockets, configuration, logs, pids; does not survive a reboot. */
  readonly runDir: string;
  /** Images, snapshots and the registry's blobs, on disk. */
  readonly dataDir: string;
  readonly socket: string;
  /** Of a lab with CRI-O, which has no containerd. A kubelet knows CRI-O by this end of the path. */
  readonly crioSocket: string;
  /**
   * Where CRI-O finds the sockets of kubectl attach, at `<dir>/<64 digits>/attach`. That leaves 35 bytes for the folder,
   * so it is not in the lab's own.
   */
  readonly crioAttachDir: string;
  readonly stateDir: string;
  readonly rootDir: string;
  readonly configFile: string;
  readonly logFile: string;
  readonly cniConfDir: string;
  readonly cniDataDir: string;
  readonly hostsDir: string;
  /** Specs of CDI devices; containerd 2 reads them here alone. */
  readonly cdiDir: string;
  readonly toolsDir: string;
  readonly recordFile: string;
  /** Identity of the process that owns the lab, when there is one. */
  readonly ownerFile: string;
  readonly network: string;
  /** For `--cgroup-root`: everything below belongs to the lab and is removed with it. */
  readonly cgroupRoot: string;
}

/**
 * Paths of the lab with this name. Throws when the name could escape the lab's folders or make a socket path too long.
 */
export function labLayout(name: string): LabLayout {
  if (!/^[a-z0-9][a-z0-9-]{0,23}$/.test(name)) {
    throw new Error(`lab name "${name}" must be 1 to 24 characters of a-z, 0-9 and "-", not starting with "-"`);
  }
  const runDir = path.join(STATE_HOME, name);
  const dataDir = path.join(DATA_HOME, name);
  return {
    name,
    runDir,
    dataDir,
    socket: path.join(runDir, 'containerd.sock'),
    crioSocket: path.join(runDir, 'run/crio/crio.sock'),
    crioAttachDir: path.join(crioAttachHome, createHash('sha256').update(name).digest('hex').slice(0, 8)),
    stateDir: path.join(runDir, 's'),
    rootDir: path.join(dataDir, 'containerd'),
    configFile: path.join(runDir, 'config.toml'),
    logFile: path.join(runDir, 'containerd.log'),
    cniConfDir: path.join(runDir, 'cni'),
    cniDataDir: path.join(runDir, 'ipam'),
    hostsDir: path.join(runDir, 'certs.d'),
    cdiDir: path.join(runDir, 'cdi'),
    toolsDir: path.join(runDir, 'bin'),
    recordFile: path.join(runDir, 'lab.json'),
    ownerFile: path.join(runDir, 'owner.json'),
    network: `podwright-lab-${name}`,
    cgroupRoot: `/podwright-lab-${name}`,
  };
}

export const labHomes: readonly string[] = [STATE_HOME, DATA_HOME];
/**
 * One file per used address block. It is created exclusively, so that two labs that start together get different
 * blocks.
 */
export const slotsDir = path.join(STATE_HOME, '.slots');
