import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { messageOf } from '@podwright/errors';
import { onAbort } from '@podwright/time';
import { signalWords } from './signal-words.js';

export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Default: the environment of this process. Its PATH is where `file` is searched. */
  readonly env?: NodeJS.ProcessEnv;
  /** Text for the program's standard input; the program need not read it. */
  readonly input?: string;
  /** A program that writes more than this to its standard output is killed. Default: 1 MiB. */
  readonly mostOutputBytes?: number;
  /** Let child processes live after the program has exited by itself: helpers of mount(8) go on to serve the mount. */
  readonly keepChildren?: boolean;
  /** Open files of this process that the program gets as descriptors 3, 4, and so on. */
  readonly descriptors?: readonly number[];
}

/** How a program ended. `aborted`: the caller's signal aborted. `overflowed`: it wrote more than `mostOutputBytes`. */
export type ProgramEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'killed'; readonly signal: NodeJS.Signals | null }
  | { readonly how: 'not-started'; readonly error: unknown }
  | { readonly how: 'overflowed' | 'aborted' };

export interface ProgramRun {
  readonly end: ProgramEnd;
  /** {@link end} in Go's words, such as `exit status 1` or `signal: killed`; undefined after exit code 0. */
  readonly problem: string | undefined;
  readonly stdout: string;
  /** The first 16 KiB at most. */
  readonly stderr: string;
}

export type RunProgram = (command: ProgramCommand, signal?: AbortSignal) => Promise<ProgramRun>;

const defaultOutputBytes = 1024 * 1024;
const mostErrorBytes = 16 * 1024;

/**
 * Runs a program with an argument list, never through a shell, in its own process group. It kills the whole group when
 * `signal` aborts or the program writes too much, and (unless `keepChildren` is set) when the program has exited, so
 * that no child process stays. It never rejects, and does not wait for a program that hangs in the kernel.
 */
export const runProgram: RunProgram = (command, signal) =>
  new Promise((resolve) => {
    const { file, args, env, input = '', mostOutputBytes = defaultOutputBytes, keepChildren = false } = command;
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(command.descriptors ?? [])];
    const [output, errors] = [new Bounded(mostOutputBytes), new Bounded(mostErrorBytes)];
    const settle = (end: ProgramEnd): void => {
      unsubscribe();
      resolve({
        end,
        problem: problemInWords(end, file, mostOutputBytes),
        stdout: output.text(),
        stderr: errors.text(),
      });
    };
    let unsubscribe = (): void => undefined;
    if (signal?.aborted === true) return settle({ how: 'aborted' });
    let child: ChildProcess;
    try {
      child = spawn(file, [...args], { ...(env && { env }), detached: true, stdio });
    } catch (error) {
      // An argument that cannot be passed to a program, such as one with a NUL.
      return settle({ how: 'not-started', error });
    }
    let isStopped = false;
    const stop = (how: 'overflowed' | 'aborted'): void => {
      isStopped = true;
      killGroup(child);
      // A child that left the group could hold the pipes open for ever, and a program that hangs in the kernel would
      // keep this process alive.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
      child.unref();
      settle({ how });
    };
    unsubscribe = onAbort(signal, () => stop('aborted'));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!output.add(chunk)) stop('overflowed');
    });
    // The rest is read and dropped: a program that writes too many errors must not block.
    child.stderr?.on('data', (chunk: Buffer) => void errors.add(chunk));
    // A program may exit without reading its input; only how it ends counts.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.once('error', (error) => settle({ how: 'not-started', error }));
    child.once('close', (code, killedBy) => {
      if (isStopped || !keepChildren) killGroup(child); // what it left behind
      settle(code === null ? { how: 'killed', signal: killedBy } : { how: 'exited', code });
    });
  });

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}

/** In Go's words; undefined after exit code 0. */
export function problemInWords(
  end: ProgramEnd,
  file: string,
  mostOutputBytes = defaultOutputBytes,
): string | undefined {
  switch (end.how) {
    case 'exited':
      return end.code === 0 ? undefined : `exit status ${end.code}`;
    case 'killed':
      return `signal: ${signalWords(end.signal)}`;
    case 'not-started':
      return startFailure(end.error, file);
    case 'overflowed':
      return `it wrote more than ${mostOutputBytes} bytes`;
    case 'aborted':
      return 'context deadline exceeded';
  }
}

function startFailure(error: unknown, file: string): string {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOENT' && !file.includes('/'))
    return `exec: ${JSON.stringify(file)}: executable file not found in $PATH`;
  if (code === 'ENOENT') return `fork/exec ${file}: no such file or directory`;
  if (code === 'EACCES') return `fork/exec ${file}: permission denied`;
  return `fork/exec ${file}: ${messageOf(error)}`;
}

/** Keeps the first bytes of a stream. */
class Bounded {
  private readonly chunks: Buffer[] = [];
  private room: number;

  constructor(mostBytes: number) {
    this.room = mostBytes;
  }

  /** Keeps as much of the chunk as fits; false when that was not all of it. */
  add(chunk: Buffer): boolean {
    const fits = chunk.length <= this.room;
    this.chunks.push(fits ? chunk : chunk.subarray(0, this.room));
    this.room -= Math.min(this.room, chunk.length);
    return fits;
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}
