import { mkdir, open, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { KubeletError } from '@podwright/errors';
import type { VolumeMounter, VolumePlugin, VolumeSpec } from '@podwright/volume-interface';

const pluginName = 'kubernetes.io/host-path';

/** Paths of the node, checked but never owned. Source: kubernetes v1.36 pkg/volume/hostpath. */
export function createHostPathPlugin(): VolumePlugin {
  return {
    name: pluginName,
    canSupport: (volume) => volume.hostPath !== undefined,
    newMounter: (spec) => new HostPathMounter(spec),
    tearDown: async () => undefined, // the path belongs to the node
  };
}

class HostPathMounter implements VolumeMounter {
  readonly hostPath: string;
  readonly readOnly = false;
  readonly managed = false;
  readonly selinuxRelabel = false;
  private readonly type: string;

  constructor({ volume }: VolumeSpec) {
    this.hostPath = volume.hostPath?.path ?? '';
    this.type = volume.hostPath?.type ?? '';
  }

  async setUp(): Promise<void> {
    const path = this.hostPath;
    if (path.split('/').includes('..')) throw fault(`invalid HostPath \`${path}\`: must not contain '..'`);
    if (this.type === '') return;
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

interface TypeCheck {
  readonly what: string;
  readonly is: (stats: Stats) => boolean;
  readonly make?: (path: string) => Promise<unknown>;
}

const directory: TypeCheck = { what: 'a directory', is: (stats) => stats.isDirectory() };
const file: TypeCheck = { what: 'a file', is: (stats) => stats.isFile() };
const checks: Readonly<Record<string, TypeCheck>> = {
  Directory: directory,
  DirectoryOrCreate: { ...directory, make: (path) => mkdir(path, { recursive: true, mode: 0o755 }) },
  File: file,
  FileOrCreate: { ...file, make: async (path) => (await open(path, 'a', 0o644)).close() },
  Socket: { what: 'a socket file', is: (stats) => stats.isSocket() },
  CharDevice: { what: 'a character device', is: (stats) => stats.isCharacterDevice() },
  BlockDevice: { what: 'a block device', is: (stats) => stats.isBlockDevice() },
};

/** Links are followed. A path below something that is no directory does not exist either. */
async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
