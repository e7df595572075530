import { mkdir, open, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoWords, KubeletError } from '@podwright/errors';
import { requireAnswer, type AnswerCheck } from '@podwright/filesystem';
import { isReadOnlySpec, type VolumeMounter, type VolumePlugin, type VolumeSpec } from '@podwright/volume-interface';

const pluginName = 'kubernetes.io/host-path';

/**
 * Paths of the node: checked, created if the volume's type says so, never removed. Source: kubernetes v1.36
 * pkg/volume/hostpath.
 */
export function createHostPathPlugin(answers?: AnswerCheck, standInRoot = ''): VolumePlugin {
  return {
    name: pluginName,
    canSupport: (volume, persistentVolume) => sourceOf({ volume, persistentVolume }) !== undefined,
    newMounter: (spec) =>
      standInRoot === '' ? new HostPathMounter(spec, answers) : new StandInMounter(spec, standInRoot),
    tearDown: async () => undefined, // the path belongs to the node
  };
}

class HostPathMounter implements VolumeMounter {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed = false;
  readonly selinuxRelabel = false;
  private readonly type: string;

  constructor(
    spec: VolumeSpec,
    private readonly answers: AnswerCheck | undefined,
  ) {
    const { path = '', type = '' } = sourceOf(spec) ?? {};
    this.hostPath = path;
    this.type = type;
    this.readOnly = isReadOnlySpec(spec);
  }

  async setUp(signal: AbortSignal): Promise<void> {
    const path = this.hostPath;
    if (path.split('/').includes('..')) throw climbs(path);
    if (this.type === '') return;
    await requireAnswer(path, signal, this.answers);
    const check = Object.hasOwn(checks, this.type) ? checks[this.type] : undefined;
    if (check === undefined) throw fault(`${this.type} is an invalid volume type`);
    let found = await statOf(path);
    if (found === undefined && check.make !== undefined) {
      await check.make(path);
      found = await statOf(path);
    }
    if (found === undefined || !check.is(found))
      throw fault(`hostPath type check failed: ${path} is not ${check.what}`);
  }
}

/** Below a folder that stands for the node, where each path is of the type that its volume wants. */
class StandInMounter implements VolumeMounter {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed = false;
  readonly selinuxRelabel = false;
  private readonly path: string;
  private readonly type: string;

  constructor(spec: VolumeSpec, root: string) {
    const { path = '', type = '' } = sourceOf(spec) ?? {};
    this.path = path;
    this.hostPath = join(root, path);
    this.type = type;
    this.readOnly = isReadOnlySpec(spec);
  }

  async setUp(): Promise<void> {
    if (this.path.split('/').includes('..')) throw climbs(this.path);
    if ((await statOf(this.hostPath)) !== undefined) return;
    if (this.type === '' || this.type.startsWith('Directory')) return makeDirectory(this.hostPath);
    await makeDirectory(dirname(this.hostPath));
    await makeFile(this.hostPath);
  }
}

/** The path of a PersistentVolume, or of the pod's spec. */
function sourceOf({
  volume,
  persistentVolume,
}: {
  readonly volume: VolumeSpec['volume'];
  readonly persistentVolume?: VolumeSpec['persistentVolume'] | undefined;
}): VolumeSpec['volume']['hostPath'] {
  return persistentVolume === undefined ? volume.hostPath : persistentVolume.spec?.hostPath;
}

interface TypeCheck {
  readonly what: string;
  readonly is: (stats: Stats) => boolean;
  readonly make?: (path: string) => Promise<unknown>;
}

const directory: TypeCheck = { what: 'a directory', is: (stats) => stats.isDirectory() };
const file: TypeCheck = { what: 'a file', is: (stats) => stats.isFile() };
const checks: Readonly<Record<string, TypeCheck>> = {
  Directory: directory,
  DirectoryOrCreate: { ...directory, make: makeDirectory },
  File: file,
  FileOrCreate: { ...file, make: makeFile },
  Socket: { what: 'a socket file', is: (stats) => stats.isSocket() },
  CharDevice: { what: 'a character device', is: (stats) => stats.isCharacterDevice() },
  BlockDevice: { what: 'a block device', is: (stats) => stats.isBlockDevice() },
};

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw fault(`mkdir ${path}: ${errnoWords(error)}`);
  }
}

async function makeFile(path: string): Promise<void> {
  try {
    await (await open(path, 'a', 0o644)).close();
  } catch (error) {
    throw fault(`open ${path}: ${errnoWords(error)}`);
  }
}

/** Follows links. Undefined also for a path below something that is not a directory. */
async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

const climbs = (path: string): KubeletError => fault(`invalid HostPath \`${path}\`: must not contain '..'`);

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
