import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

/** A program whose output goes to a file. */
export class HollowProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly logFile: string,
  ) {}

  static start(file: string, args: readonly string[], logFile: string): HollowProcess {
    const log = openSync(logFile, 'w');
    return new HollowProcess(spawn(process.execPath, [file, ...args], { stdio: ['ignore', log, log] }), logFile);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async stop(): Promise<void> {
    if (!this.running) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
