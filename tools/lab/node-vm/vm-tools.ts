import { rename } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../commands.js';
import { exists, groupDir, type PackageStore } from '../packages.js';

const SUITE = 'trixie';
const PACKAGES = ['qemu-system-x86', 'e2fsprogs'];
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';

/** Arguments of a program and the environment variables that it needs. */
export interface Program {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** QEMU and mke2fs with all their libraries, in a folder of their own. */
export class VmTools {
  constructor(private readonly root: string) {}

  /** Fetches them when the cache does not have them. */
  static async find(cacheDir: string, openStore: () => Promise<PackageStore>): Promise<VmTools> {
    const root = groupDir(cacheDir, 'node-vm-tools', [SUITE, ...PACKAGES]);
    if (await exists(root)) return new VmTools(root);
    const store = await openStore();
    const work = await store.workFolder('tools');
    await unpackAll(await store.downloadWithDependencies([SUITE], PACKAGES), work);
    await rename(work, root).catch(async (error: unknown) => {
      if (!(await exists(root))) throw error; // another run was faster
    });
    return new VmTools(root);
  }

  get qemu(): Program {
    const at = (folder: string): string => path.join(this.root, folder);
    const data = ['usr/share/qemu', 'usr/share/seabios', 'usr/lib/ipxe/qemu'].flatMap((folder) => ['-L', at(folder)]);
    const { argv } = this.program('usr/bin/qemu-system-x86_64');
    return { argv: [...argv, ...data], env: { QEMU_MODULE_DIR: at(`${LIBRARIES}/qemu`) } };
  }

  /** Makes an ext4 file system from the content of a folder, with owners and modes. */
  async makeDisk(folder: string, file: string, sizeMib: number): Promise<void> {
    const { argv } = this.program('usr/sbin/mke2fs');
    const [program, ...args] = argv;
    // A disk for one run needs no journal and no blocks reserved for root.
    const options = ['-q', '-F', '-t', 'ext4', '-O', '^has_journal', '-m', '0', '-d', folder, file, `${sizeMib}M`];
    await runCommand(program, [...args, ...options], {
      env: { PATH: process.env['PATH'], MKE2FS_CONFIG: path.join(this.root, 'etc/mke2fs.conf') },
    });
  }

  // Starts a program with its own loader and libraries, because the machine's may have any version.
  private program(file: string): Program {
    const loader = path.join(this.root, 'usr/lib64/ld-linux-x86-64.so.2');
    return { argv: [loader, '--library-path', path.join(this.root, LIBRARIES), path.join(this.root, file)], env: {} };
  }
}

/** Unpacks packages into one folder without running their scripts. */
export async function unpackAll(debs: readonly string[], root: string): Promise<void> {
  const isBase = (file: string): boolean => path.basename(file).startsWith('base-files_');
  // The links of the merged /usr come first; otherwise packages would create folders in their place.
  for (const deb of debs.filter(isBase)) await unpack(deb, root);
  const queue = debs.filter((deb) => !isBase(deb));
  const worker = async (): Promise<void> => {
    for (let deb = queue.pop(); deb !== undefined; deb = queue.pop()) await unpack(deb, root);
  };
  await Promise.all([worker(), worker()]);
}

async function unpack(deb: string, root: string): Promise<void> {
  await runCommand('dpkg-deb', ['-x', deb, root]);
}
