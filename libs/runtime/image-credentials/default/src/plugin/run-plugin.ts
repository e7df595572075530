import { spawn, type ChildProcess } from 'node:child_process';
import { KubeletError } from '@podwright/errors';
import { onAbort } from '@podwright/time';
import { signalWords } from './signal-words.js';

export interface PluginCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
}

/** Of both outputs together with what a plugin may do in its time: far more than any real answer. */
const mostOutputBytes = 1024 * 1024;
const mostErrorBytes = 16 * 1024;

/**
 * Runs a program by argv in a process group of its own and resolves with its standard output. When `signal` aborts the whole
 * group is killed, so that nothing which a plugin has started outlives its time. Rejects with Go's words for how it ended and
 * what it wrote to its error output.
 */
export function runPlugin(command: PluginCommand, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const { file, args, env, input } = command;
    const child = spawn(file, [...args], { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const [output, errors] = [new Bounded(mostOutputBytes), new Bounded(mostErrorBytes)];
    let trouble: string | undefined;
    const stop = (why: string): void => {
      trouble ??= why;
      killGroup(child);
      // What has left the group could hold the pipes open for ever.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const unsubscribe = onAbort(signal, () => stop('context deadline exceeded'));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!output.add(chunk)) stop(`it wrote more than ${mostOutputBytes} bytes`);
    });
    // More than that is read and dropped: a plugin that talks too much must not block.
    child.stderr?.on('data', (chunk: Buffer) => void errors.add(chunk));
    // A plugin need not read what it is told; how it ends counts.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.once('error', (error) => {
      unsubscribe();
      reject(failure(`fork/exec ${file}: ${error.message}`, errors, error));
    });
    child.once('close', (code, killedBy) => {
      unsubscribe();
      killGroup(child); // what it left behind
      if (trouble === undefined && code === 0) return resolve(output.text());
      const ended = code === null ? `signal: ${signalWords(killedBy)}` : `exit status ${code}`;
      reject(failure(trouble ?? ended, errors));
    });
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}

function failure(how: string, errors: Bounded, cause?: unknown): KubeletError {
  return new KubeletError(`${how}: ${errors.text()}`, { code: 'unavailable', ...(cause !== undefined && { cause }) });
}

/** Keeps the first bytes of a stream. */
class Bounded {
  private readonly chunks: Buffer[] = [];
  private room: number;

  constructor(mostBytes: number) {
    this.room = mostBytes;
  }

  /** False when it did not fit; then the beginning of it is kept. */
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
