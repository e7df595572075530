import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startFolderPrefix } from '@podwright/podwright';
import { identityOf, isAlive, killIfAlive, readIdentity, unmountBelow, writeIdentity } from '@podwright/lab';

const ownerFile = (dir: string): string => path.join(dir, 'owner.json');
const processSuffix = '-process.json';

/** The folder with the files of one run. It records what the next run needs to clean up after a kill. */
export class RunFolder {
  private constructor(readonly dir: string) {}

  /** `parent` contains the folders of all runs. */
  static create(parent: string = os.tmpdir()): RunFolder {
    const dir = mkdtempSync(path.join(parent, startFolderPrefix));
    writeFileSync(ownerFile(dir), JSON.stringify(identityOf(process.pid)));
    return new RunFolder(dir);
  }

  /** Records a process, such as the kubelet, so that the next run can end it if this process is killed. */
  noteProcess(name: string, pid: number): Promise<void> {
    return writeIdentity(path.join(this.dir, `${name}${processSuffix}`), pid);
  }

  /** Keeps the files for inspection and prints where they are. */
  async keep(say: (line: string) => void): Promise<void> {
    await this.leave(say);
    say(`the files of this run stay in ${this.dir}`);
  }

  /** Leaves the folder to pods that keep running; they have the mounts below it for themselves. */
  async leave(say: (line: string) => void): Promise<void> {
    if (process.platform === 'linux') await unmountBelow([this.dir], say);
    rmSync(ownerFile(this.dir), { force: true });
  }

  remove(say: (line: string) => void): Promise<void> {
    return removeFolder(this.dir, say);
  }
}

/** Ends kubelets and removes folders of runs that were killed. */
export async function cleanUpKilledRuns(say: (line: string) => void, parent: string = os.tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(startFolderPrefix)) continue;
    const dir = path.join(parent, name);
    // A folder without an owner file was kept on purpose; one that cannot be read belongs to another user.
    const owner = await readIdentity(ownerFile(dir)).catch(() => undefined);
    if (owner === undefined || isAlive(owner)) continue;
    say(`cleaning up after an earlier run that was killed (${dir})`);
    for (const file of (await readdir(dir)).filter((entry) => entry.endsWith(processSuffix))) {
      killIfAlive(await readIdentity(path.join(dir, file)));
    }
    await removeFolder(dir, say);
  }
}

// The kubelet bind mounts its root folder onto itself and mounts volumes below it.
async function removeFolder(dir: string, say: (line: string) => void): Promise<void> {
  if (process.platform === 'linux') await unmountBelow([dir], say);
  rmSync(dir, { recursive: true, force: true });
}
