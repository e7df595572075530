import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from './vm-tools.js';

/** A QEMU that does not outlive us, not even when we are killed. */
export class QemuProcess {
  readonly ended: Promise<number | null>;
  private over = false;
  private complaint = '';

  private constructor(readonly child: ChildProcess) {
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => {
        this.over = true;
        resolve(code);
      });
    });
    this.ended.catch(() => undefined);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.complaint = `${this.complaint}${text}`.slice(-4_000);
    });
  }

  /** `terminal` leaves it our own terminal; otherwise what comes over its report port is its standard output. */
  static start(
    { argv, env }: Program,
    args: readonly string[],
    { terminal = false, tmpDir = '/tmp' } = {},
  ): QemuProcess {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...argv, ...args], {
      env: { PATH: process.env['PATH'], TERM: process.env['TERM'], TMPDIR: tmpDir, ...env },
      stdio: terminal ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    return new QemuProcess(child);
  }

  /** The last of what QEMU itself had to say. */
  get complaints(): string {
    return this.complaint.trim();
  }

  /** Resolves with whether it ended by itself in time. */
  async endedWithin(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.ended, late]);
    timer.abort();
    return this.over;
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    if (!this.over) this.child.kill('SIGKILL');
    await this.ended;
  }
}
