import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface ProgramRun {
  /** The program's stdout and stderr as they arrive. Ends with the program, whatever its exit code. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves to the exit code; undefined when the program was killed or could not be started. */
  readonly exitCode: Promise<number | undefined>;
}

/** Runs a program by argv, never through a shell, and kills it when the signal aborts. */
export type RunProgram = (file: string, args: readonly string[], signal: AbortSignal) => ProgramRun;

/** Looks up programs in this process's PATH. */
export function createRunProgram(): RunProgram {
  return (file, args, signal) => {
    const output = new PassThrough();
    const exitCode = run(file, args, signal, output);
    return { output, exitCode };
  };
}

async function run(
  file: string,
  args: readonly string[],
  signal: AbortSignal,
  output: PassThrough,
): Promise<number | undefined> {
  const { spawn } = await import('node:child_process');
  let child: ChildProcess;
  const exit = new Promise<number | undefined>((resolve) => {
    child = spawn(file, [...args], { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code ?? undefined));
    for (const stream of [child.stdout, child.stderr]) {
      // The reader left or the program was killed: the exit code reports it.
      if (stream !== null) pipeline(stream, output, { end: false }).catch(() => child.kill('SIGKILL'));
    }
  });
  const code = await exit;
  output.end();
  return code;
}
