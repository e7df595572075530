import { open, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoWords, KubeletError } from '@podwright/errors';
import { makeDirectory, requireAnswer, type AnswerCheck } from '@podwright/filesystem';
import { isReadOnlySpec, type VolumePlugin, type VolumeSpec } from '@podwright/volume-interface';

const pluginName = 'kubernetes.io/host-path';

/**
 * Paths of the node: checked, created if the volume's type says so, never removed. Source: kubernetes v1.36
 * pkg/volume/hostpath.
 */
export function createHostPathPlugin(answers?: AnswerCheck, standInRoot = ''): VolumePlugin {
  return {
    name: pluginName,
    canSupport: (volume, persistentVolume) => sourceOf({ volume, persistentVolume }) !== undefined,
    newMounter: (spec) => {
      const { path = '', type = '' } = sourceOf(spec) ?? {};
      const common = { readOnly: isReadOnlySpec(spec), managed: false, selinuxRelabel: false };
      if (standInRoot === '')
        return { ...common, hostPath: path, setUp: (signal) => setUp(path, type, signal, answers) };
      const hostPath = join(standInRoot, path);
      return { ...common, hostPath, setUp: () => setUpStandIn(hostPath, path, type) };
    },
    tearDown: async () => undefined, // the path belongs to the node
  };
}

async function setUp(path: string, type: string, signal: AbortSignal, answers: AnswerCheck | undefined): Promise<void> {
  if (path.split('/').includes('..')) throw climbs(path);
  if (type === '') return;
  await requireAnswer(path, signal, answers);
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined;
  if (check === undefined) throw fault(`${type} is an invalid volume type`);
  let found = await statOf(path);
  if (found === undefined && check.make !== undefined) {
    await check.make(path);
    found = await statOf(path);
  }
  if (found === undefined || !check.is(found)) throw fault(`hostPath type check failed: ${path} is not ${check.what}`);
}

/** Below a folder that stands for the node, where each path is of the type that its volume wants. */
async function setUpStandIn(hostPath: string, path: string, type: string): Promise<void> {
  if (path.split('/').includes('..')) throw climbs(path);
  if ((await statOf(hostPath)) !== undefined) return;
  if (type === '' || type.startsWith('Directory')) return makeMissing(hostPath);
  await makeMissing(dirname(hostPath));
  await makeFile(hostPath);
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
  DirectoryOrCreate: { ...directory, make: makeMissing },
  File: file,
  FileOrCreate: { ...file, make: makeFile },
  Socket: { what: 'a socket file', is: (stats) => stats.isSocket() },
  CharDevice: { what: 'a character device', is: (stats) => stats.isCharacterDevice() },
  BlockDevice: { what: 'a block device', is: (stats) => stats.isBlockDevice() },
};

async function makeMissing(path: string): Promise<void> {
  try {
    await makeDirectory(path, 0o755);
  } catch (error) {
    const { path: failed = path } = error as NodeJS.ErrnoException;
    throw fault(`mkdir ${failed}: ${errnoWords(error)}`);
  }
}

async function makeFile(path: string): Promise<void> {
  try {
    await (await open(path, 'a', 0o644)).close();
  } catch (error) {
    throw fault(`open ${path}: ${errnoWords(error)}`);
  }
}

/** Follows links. As upstream, a path that cannot be looked at is not there: making it says why. */
async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

const climbs = (path: string): KubeletError => fault(`invalid HostPath \`${path}\`: must not contain '..'`);

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
