import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Default two minutes, enough for a download on a slow line. */
  readonly timeoutMs?: number;
  /** Standard input of the program; empty by default. */
  readonly input?: string;
}

/** Runs a program with arguments and resolves with its result. Rejects only when it could not start or timed out. */
export function tryCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { timeoutMs = 120_000, input = '', ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { ...rest, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(new Error(`${file} ${args.join(' ')}: ${error.message}`, { cause: error }));
      },
    );
    // A program that does not read its input closes the pipe early; only its exit code matters.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** Like {@link tryCommand}, but rejects with the program's output for a non-zero exit code. Resolves with stdout. */
export async function runCommand(file: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(file, args, options);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} exited with ${code}: ${(stderr || stdout).trim()}`);
  return stdout;
}

/** Polls until `check` holds. Resolves with whether it did within `timeoutMs`. */
export async function waitUntil(
  check: () => Promise<boolean>,
  { timeoutMs, everyMs = 25 }: { timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const end = process.hrtime.bigint() + BigInt(timeoutMs) * 1_000_000n;
  for (;;) {
    if (await check()) return true;
    if (process.hrtime.bigint() > end) return false;
    await delay(everyMs);
  }
}

/**
 * The code of a system error, such as `ENOENT`. Does not check the class: test runners give each file its own `Error`.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/**
 * True for "does not exist", the one error that clean-up code expects. ENODEV and ESRCH: what the kernel's file tells of
 * has gone between open and read.
 */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENODEV', 'ESRCH'].includes(String(errorCode(error)));
}

/** For reads of files that may vanish meanwhile, such as in /proc: undefined instead of the error. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
