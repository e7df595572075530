import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { waitFor, type WaitOptions } from './wait-for.js';

/** A command that has ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  /** All of the command's input; none without it. */
  readonly input?: Buffer | string;
  readonly withinMs?: number;
}

/** kubectl with one kubeconfig, as a person at a terminal has it. */
export class KubectlClient {
  constructor(
    private readonly program: string,
    private readonly kubeconfig: string,
    private readonly home: string,
  ) {}

  /** Runs to the end. Kills what takes too long. */
  async run(args: readonly string[], { input, withinMs = 60_000 }: RunOptions = {}): Promise<Ran> {
    const command = this.start(args);
    command.child.stdin.on('error', () => undefined); // it may end before it has read everything
    command.child.stdin.end(input ?? '');
    const timer = setTimeout(() => command.child.kill('SIGKILL'), withinMs);
    try {
      return await command.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Output of a command that must succeed. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.toString();
  }

  start(args: readonly string[]): RunningCommand {
    return RunningCommand.start(this.program, ['--kubeconfig', this.kubeconfig, ...args], this.home);
  }

  /**
   * On a terminal of its own, of that size, whose name is the first line of the output: whoever changes its size makes the kernel
   * tell kubectl.
   */
  startOnTerminal(args: readonly string[], rows: number, columns: number): RunningCommand {
    const words = [this.program, '--kubeconfig', this.kubeconfig, ...args].map((word) => `'${word}'`);
    const line = `stty rows ${rows} cols ${columns}; tty; exec ${words.join(' ')}`;
    return RunningCommand.start('script', ['-qfec', line, '/dev/null'], this.home);
  }
}

/** A command under way, with what it has written so far. */
export class RunningCommand {
  private readonly out: Buffer[] = [];
  private readonly err: Buffer[] = [];

  private constructor(
    readonly child: ChildProcessWithoutNullStreams,
    readonly ended: Promise<Ran>,
  ) {}

  static start(program: string, args: readonly string[], home: string): RunningCommand {
    const child = spawn(program, args, { env: { ...process.env, HOME: home, TERM: 'dumb' } });
    const ended = new Promise<Ran>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) =>
        resolve({ code, stdout: Buffer.concat(command.out), stderr: Buffer.concat(command.err).toString() }),
      );
    });
    const command: RunningCommand = new RunningCommand(child, ended);
    child.stdout.on('data', (piece: Buffer) => command.out.push(piece));
    child.stderr.on('data', (piece: Buffer) => command.err.push(piece));
    return command;
  }

  get stdout(): string {
    return Buffer.concat(this.out).toString();
  }

  get stderr(): string {
    return Buffer.concat(this.err).toString();
  }

  write(text: string): void {
    this.child.stdin.write(text);
  }

  /** Resolves with the match once what was written to stdout fits. */
  until(pattern: RegExp, options: WaitOptions = {}): Promise<RegExpExecArray> {
    const look = async (): Promise<RegExpExecArray | false> => pattern.exec(this.stdout) ?? false;
    return waitFor(`kubectl says ${String(pattern)}`, look, options).catch((error: Error) => {
      throw new Error(`${error.message}\nstdout: ${this.stdout.slice(-2000)}\nstderr: ${this.stderr.slice(-2000)}`);
    });
  }

  /** SIGINT, as Ctrl-C sends it; resolves with the end. */
  interrupt(): Promise<Ran> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}
