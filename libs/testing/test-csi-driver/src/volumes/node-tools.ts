import { messageOf } from '@podwright/errors';
import { createMountTools, type MountTools } from '@podwright/filesystem';
import { runProgram, type ProgramRun } from '@podwright/program';
import type { Clock } from '@podwright/time';

const programTimeoutMs = 60_000;

/** The programs of the node that a driver runs; none runs longer than a minute. */
export class NodeTools {
  private readonly mounts: MountTools;

  constructor(
    private readonly clock: Clock,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    // mount(8) and umount(8) too get the environment and the time limit.
    this.mounts = createMountTools({ run: (command) => this.attempt(command.file, command.args) });
  }

  /** Resolves with the standard output; rejects with what the program said when it fails. */
  async run(file: string, ...args: readonly string[]): Promise<string> {
    const { problem, stdout, stderr } = await this.attempt(file, args);
    if (problem === undefined) return stdout;
    throw new Error(`${file} ${args.join(' ')}: ${problem}: ${(stderr || stdout).trim()}`);
  }

  /** Never rejects: the result says how the program ended. */
  async attempt(file: string, args: readonly string[]): Promise<ProgramRun> {
    const { signal, dispose } = this.clock.deadline(programTimeoutMs);
    try {
      return await runProgram({ file, args, env: { ...this.env, LC_ALL: 'C' }, keepChildren: true }, signal);
    } finally {
      dispose();
    }
  }

  mount(source: string, target: string, options: readonly string[], fsType?: string): Promise<void> {
    return this.mounts.mount({ source, target, options, ...(fsType !== undefined && { fsType }) });
  }

  /** Makes `target` show `source`, a folder or a file. */
  async bind(source: string, target: string, readOnly: boolean): Promise<void> {
    await this.mount(source, target, ['bind']);
    if (!readOnly) return;
    try {
      await this.mount(source, target, ['bind', 'remount', 'ro']);
    } catch (error) {
      // A writable mount must not stay in place of a read-only one.
      await this.unmount(target).catch((second: unknown) => {
        throw new Error(`${messageOf(error)}; and then ${messageOf(second)}`);
      });
      throw error;
    }
  }

  /** A target that is not mounted is no error. */
  unmount(target: string): Promise<void> {
    return this.mounts.unmount(target);
  }
}
