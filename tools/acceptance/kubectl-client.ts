import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { waitFor, type WaitOptions } from './wait-for.js';

/** Result of a command. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  /** The whole standard input; empty by default. */
  readonly input?: Buffer | string;
  readonly withinMs?: number;
}

/** kubectl with one kubeconfig, as a person at a terminal uses it. */
export class KubectlClient {
  constructor(
    private readonly program: string,
    private readonly kubeconfig: string,
    private readonly home: string,
  ) {}

  /** Runs a command to its end; kills it after `withinMs`. */
  async run(args: readonly string[], { input, withinMs = 60_000 }: RunOptions = {}): Promise<Ran> {
    const command = this.start(args);
    command.child.stdin.on('error', () => undefined); // the command may exit before it has read its input
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
   * Starts a command on a new terminal of the given size. The first line of the output is the terminal's name; when its
   * size is changed, the kernel notifies kubectl.
   */
  startOnTerminal(args: readonly string[], rows: number, columns: number): RunningCommand {
    const words = [this.program, '--kubeconfig', this.kubeconfig, ...args].map((word) => `'${word}'`);
    const line = `stty rows ${rows} cols ${columns}; tty; exec ${words.join(' ')}`;
    return RunningCommand.start('script', ['-qfec', line, '/dev/null'], this.home);
  }
}

/** A running command and its output so far. */
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

  /** Resolves with the match once stdout matches the pattern. */
  until(pattern: RegExp, options: WaitOptions = {}): Promise<RegExpExecArray> {
    const look = async (): Promise<RegExpExecArray | false> => pattern.exec(this.stdout) ?? false;
    return waitFor(`kubectl says ${String(pattern)}`, look, options).catch((error: Error) => {
      throw new Error(`${error.message}\nstdout: ${this.stdout.slice(-2000)}\nstderr: ${this.stderr.slice(-2000)}`);
    });
  }

  /** Sends SIGINT, as Ctrl-C does; resolves with the result. */
  interrupt(): Promise<Ran> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}
