import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { repositoryRoot } from './repository-root.js';

export interface RunResult {
  /** Exit code; 1 when a signal or the time limit ended the process. */
  readonly code: number;
  /** Standard output and error, interleaved. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Called with output as it arrives. */
  readonly onOutput?: (text: string) => void;
}

const niceness = new AsyncLocalStorage<number>();

/** Does the work; the programs that it runs, and what these start, get what others leave of the processor. */
export function besideOthers<T>(work: () => Promise<T>): Promise<T> {
  return niceness.run(10, work);
}

/** Runs a program to its end, without standard input, and captures its output. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { cwd = repositoryRoot, env = {}, timeoutMs = 600_000, onOutput } = options;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: quietEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] });
    const nice = niceness.getStore();
    if (nice !== undefined && child.pid !== undefined) setPriority(child.pid, nice);
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nstopped after ${timeoutMs / 1000} s\n`));
      child.kill('SIGKILL');
    }, timeoutMs);
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') });
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      onOutput?.(chunk.toString('utf8'));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => {
      chunks.push(Buffer.from(`${program}: ${error.message}\n`));
      finish(1);
    });
    child.on('close', finish);
  });
}

/** As {@link run}, with the current Node executable. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run(process.execPath, args, options);
}

/** As {@link run}, but rejects with the output when the program fails. */
export async function succeed(
  program: string,
  args: readonly string[],
  cwd: string,
  env: RunOptions['env'] = {},
): Promise<void> {
  const { code, output } = await run(program, args, { cwd, env });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${output.trim()}`);
}

/** Turns off Nx's daemon, workers and telemetry, and colours in captured text. */
function quietEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NX_DAEMON: 'false',
    NX_NO_CLOUD: 'true',
    NX_TUI: 'false',
    NX_ISOLATE_PLUGINS: 'false',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    ...extra,
  };
}
