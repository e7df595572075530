import type { ContainerConfig, ContainerMetadata, DeepPartial } from '@podwright/cri-client-interface';
import { containerMetadata } from './complete-messages.js';

/** What a started container does. By default it runs until it is stopped. */
export interface Program {
  /** How long the call that starts the container takes, in milliseconds. Default 0. */
  readonly startMs?: number;
  /** The container exits by itself after this time, in milliseconds of the runtime's clock. Default: never. */
  readonly exitAfterMs?: number;
  /** Exit code of the exit after `exitAfterMs`. Default 0. */
  readonly exitCode?: number;
  /**
   * Reason of that exit in the CRI. Default `Completed` for exit code 0, else `Error`; `OOMKilled` means exit code 137.
   */
  readonly reason?: string;
  /**
   * The reaction to SIGTERM: exit at once with code 143 (default), exit after a time, or ignore it, so that the runtime
   * kills the container at the end of the grace period (exit code 137).
   */
  readonly onStop?: 'exit' | 'ignore' | { readonly afterMs: number; readonly exitCode?: number };
  /** Makes the start fail with this message; the container ends with reason `StartError` and exit code 128. */
  readonly startError?: string;
  /** The result of a command in the container. Default: exit code 0 at once. */
  readonly exec?: (command: readonly string[]) => ExecOutcome;
  /** Lines of its log, written when it starts, if the runtime writes log files. */
  readonly output?: readonly string[];
  /** Its termination message, written when it ends, if the runtime writes log files. */
  readonly terminationMessage?: string;
  /** The constant usage that stats report. Default: no CPU, 1 MiB of memory. */
  readonly usage?: { readonly nanoCores?: number; readonly memoryBytes?: number };
}

export interface ExecOutcome {
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Duration in milliseconds. Default 0; with `Infinity` the command never ends. */
  readonly takesMs?: number;
}

/** A program, or a function that chooses one per container, for example by `attempt`, the restart count. */
export type ProgramChoice = Program | ((metadata: ContainerMetadata, config: DeepPartial<ContainerConfig>) => Program);

/** Programs by container name or image reference; the name takes precedence. */
export class Programs {
  private readonly choices = new Map<string, ProgramChoice>();
  private fallback: ProgramChoice = {};

  /** Sets the program of containers created from now on. `nameOrImage`: a container's name, or an image reference. */
  set(nameOrImage: string, program: ProgramChoice): void {
    this.choices.set(nameOrImage, program);
  }

  /** Sets the program of all other containers. */
  setDefault(program: ProgramChoice): void {
    this.fallback = program;
  }

  of(config: DeepPartial<ContainerConfig>): Program {
    const names = [config.metadata?.name, config.image?.userSpecifiedImage, config.image?.image];
    const name = names.find((key) => key !== undefined && this.choices.has(key));
    const choice = this.choices.get(name ?? '') ?? this.fallback;
    return typeof choice === 'function' ? choice(containerMetadata(config.metadata), config) : choice;
  }
}
