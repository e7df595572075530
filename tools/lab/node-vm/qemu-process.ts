import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from './vm-tools.js';

/** A QEMU process that ends with this process, even when this process is killed. */
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

  /** With `terminal`, QEMU uses this terminal; otherwise its standard output is the guest's report port. */
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

  /** The end of QEMU's own error output. */
  get complaints(): string {
    return this.complaint.trim();
  }

  /** Resolves with whether it exited by itself within the time. */
  async endedWithin(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.ended, late]);
    timer.abort();
    return this.over;
  }

  /** Resolves when it has exited. */
  async kill(): Promise<void> {
    if (!this.over) this.child.kill('SIGKILL');
    await this.ended;
  }
}
