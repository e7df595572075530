import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';

/**
 * What `podwright console` reads: the token and the address of the console that runs, for root only. A kubelet that is
 * killed leaves them; the next one replaces or removes them.
 */
export class TokenFile {
  private readonly directory: string;

  constructor(rootDir: string) {
    this.directory = path.join(rootDir, 'console');
  }

  async write(name: 'token' | 'address', content: string): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await writeFileAtomically(path.join(this.directory, name), `${content}\n`, { mode: 0o600, durable: false });
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
