import { execFile } from 'node:child_process';
import { KubeletError } from '@podwright/errors';

export interface MountRequest {
  /** Device, directory or a word such as `tmpfs`. */
  readonly source: string;
  readonly target: string;
  readonly fsType?: string;
  readonly options?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Mounts and unmounts. Messages of failures are upstream's: kubernetes v1.36 mount-utils/mount_linux.go. */
export interface MountTools {
  mount(request: MountRequest): Promise<void>;
  /** A target that is not mounted (any more) is fine. */
  unmount(target: string, signal?: AbortSignal): Promise<void>;
}

/** Outcome of a program: its exit code (a word when it could not run) and what it wrote to both outputs. */
export interface CommandResult {
  readonly exitCode: number | string;
  readonly output: string;
}

/** Runs a program by argv, never through a shell. Rejects only when the signal aborts. */
export type RunCommand = (file: string, args: readonly string[], signal?: AbortSignal) => Promise<CommandResult>;

/** Of mount(8) and umount(8) in the path. */
export function createMountTools(run: RunCommand = runCommand): MountTools {
  return {
    mount: async ({ source, target, fsType, options = [], signal }) => {
      const args = [
        ...(fsType === undefined ? [] : ['-t', fsType]),
        ...(options.length === 0 ? [] : ['-o', options.join(',')]),
        source,
        target,
      ];
      const { exitCode, output } = await run('mount', args, signal);
      if (exitCode === 0) return;
      throw new KubeletError(
        `mount failed: ${status(exitCode)}\nMounting command: mount\nMounting arguments: ${args.join(' ')}\nOutput: ${output}`,
        { code: 'internal' },
      );
    },
    unmount: async (target, signal) => {
      const { exitCode, output } = await run('umount', [target], signal);
      if (exitCode === 0 || output.includes('not mounted') || output.includes('no mount point specified')) return;
      throw new KubeletError(
        `unmount failed: ${status(exitCode)}\nUnmounting arguments: ${target}\nOutput: ${output}`,
        {
          code: 'internal',
        },
      );
    },
  };
}

const status = (exitCode: number | string): string =>
  typeof exitCode === 'number' ? `exit status ${exitCode}` : exitCode;

/** Most output that is kept; more than any message of mount(8). */
const maxOutputBytes = 64 * 1024;

const runCommand: RunCommand = (file, args, signal) =>
  new Promise((resolve, reject) => {
    // Messages are compared, so they must not be translated.
    const env = { ...process.env, LC_ALL: 'C' };
    execFile(
      file,
      [...args],
      { env, maxBuffer: maxOutputBytes, ...(signal && { signal }) },
      (error, stdout, stderr) => {
        const output = stdout + stderr;
        if (signal?.aborted === true) reject(signal.reason as Error);
        else if (error === null) resolve({ exitCode: 0, output });
        else resolve({ exitCode: error.code ?? error.signal ?? error.message, output });
      },
    );
  });
