import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { KubeletError } from '@podwright/errors';
import { makeDirectory } from '@podwright/filesystem';
import { FailureLog, type Logger } from '@podwright/logging';
import { GrowingPause, type Clock, type Timer } from '@podwright/time';

interface TokenFileDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * What `podwright console` reads: the token and the address of the console that runs, for root only. A kubelet that is
 * killed leaves them; the next one replaces or removes them. A full disk does not stop the kubelet: it retries.
 */
export class TokenFile {
  private readonly directory: string;
  private readonly unwritten = new Map<string, string>();
  private readonly pause = new GrowingPause({ firstMs: 1_000, longestMs: 60_000 });
  private readonly failures: FailureLog;
  private work: Promise<void> = Promise.resolve();
  private timer: Timer | undefined;

  constructor(
    private readonly deps: TokenFileDeps,
    rootDir: string,
  ) {
    this.directory = path.join(rootDir, 'console');
    this.failures = new FailureLog(deps.logger, deps.clock);
  }

  /** Never rejects. */
  write(name: 'token' | 'address', content: string): Promise<void> {
    this.unwritten.set(name, content);
    return (this.work = this.work.then(() => this.writeAll()));
  }

  async remove(): Promise<void> {
    this.unwritten.clear();
    this.timer?.cancel();
    this.timer = undefined;
    await this.work;
    await rm(this.directory, { recursive: true, force: true });
  }

  private async writeAll(): Promise<void> {
    const { directory } = this;
    try {
      for (const [name, content] of [...this.unwritten]) {
        await makeDirectory(directory, 0o700);
        await writeFileAtomically(path.join(directory, name), `${content}\n`, { mode: 0o600, durable: false });
        this.unwritten.delete(name);
      }
      this.failures.over('The token of the console is written', { directory });
    } catch (error) {
      const message =
        'The token of the console cannot be written, so its own port lets nobody in yet. Make room in the file system of its directory, or make it writable';
      this.failures.failed(KubeletError.from(error).code, message, { directory, error });
      this.retry();
    }
  }

  private retry(): void {
    if (this.unwritten.size === 0) return; // Removed meanwhile.
    this.timer ??= this.deps.clock.setTimer(this.pause.next(), () => {
      this.timer = undefined;
      this.work = this.work.then(() => this.writeAll());
    });
  }
}
