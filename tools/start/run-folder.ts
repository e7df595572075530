import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { identityOf, isAlive, killIfAlive, readIdentity, unmountBelow, writeIdentity } from '@podwright/lab';

const prefix = 'podwright-start-';
const ownerFile = (dir: string): string => path.join(dir, 'owner.json');
const kubeletFile = (dir: string): string => path.join(dir, 'kubelet-process.json');

/** Everything that one run keeps on disk, and what it takes to clean up after it when it is killed. */
export class RunFolder {
  private constructor(readonly dir: string) {}

  /** `parent` holds the folders of all runs. */
  static create(parent: string = os.tmpdir()): RunFolder {
    const dir = mkdtempSync(path.join(parent, prefix));
    writeFileSync(ownerFile(dir), JSON.stringify(identityOf(process.pid)));
    return new RunFolder(dir);
  }

  /** So that the next run can end a kubelet that has lost its parent. */
  noteKubelet(pid: number): Promise<void> {
    return writeIdentity(kubeletFile(this.dir), pid);
  }

  /** The files stay after this run, for those who want to look into them; says where. */
  async keep(say: (line: string) => void): Promise<void> {
    if (process.platform === 'linux') await unmountBelow([this.dir], say);
    this.leave();
    say(`the files of this run stay in ${this.dir}`);
  }

  /** The folder stays as it is, for pods that go on in it. */
  leave(): void {
    rmSync(ownerFile(this.dir), { force: true });
  }

  remove(say: (line: string) => void): Promise<void> {
    return removeFolder(this.dir, say);
  }
}

/** Ends the kubelets and removes the folders of runs that were killed. */
export async function cleanUpKilledRuns(say: (line: string) => void, parent: string = os.tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const dir = path.join(parent, name);
    // Without an owner it was kept on purpose; unreadable ones belong to somebody else.
    const owner = await readIdentity(ownerFile(dir)).catch(() => undefined);
    if (owner === undefined || isAlive(owner)) continue;
    say(`cleaning up after an earlier run that was killed (${dir})`);
    killIfAlive(await readIdentity(kubeletFile(dir)));
    await removeFolder(dir, say);
  }
}

// The kubelet mounts its root folder onto itself, and volumes below it.
async function removeFolder(dir: string, say: (line: string) => void): Promise<void> {
  if (process.platform === 'linux') await unmountBelow([dir], say);
  rmSync(dir, { recursive: true, force: true });
}
