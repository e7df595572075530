import type { ContainerConfig, ContainerMetadata, DeepPartial } from '@podwright/cri-client-interface';
import { containerMetadata } from './complete-messages.js';

/** What a container does once it is started. Everything is optional: by default it runs until it is stopped. */
export interface Program {
  /** Ends by itself after that long, in milliseconds of the runtime's clock. Default: never. */
  readonly exitAfterMs?: number;
  /** Exit code of that end. Default 0. */
  readonly exitCode?: number;
  /** Reason of that end as the runtime reports it. Default `Completed` for exit code 0, else `Error`; `OOMKilled` means 137. */
  readonly reason?: string;
  /**
   * What SIGTERM does: ends it at once with 143 (default), ends it after a while, or nothing, so that it is killed with 137
   * at the end of the grace period.
   */
  readonly onStop?: 'exit' | 'ignore' | { readonly afterMs: number; readonly exitCode?: number };
  /** Message of a start that fails; the container ends as `StartError` with 128. */
  readonly startError?: string;
  /** Answers commands run in the container. Default: exit code 0 at once. */
  readonly exec?: (command: readonly string[]) => ExecOutcome;
  /** Lines for its log, written at its start when the runtime writes log files. */
  readonly output?: readonly string[];
  /** Written to the mounted termination log at its end when the runtime writes log files. */
  readonly terminationMessage?: string;
  /** Steady use that stats report. Default: nothing of the CPU, 1 MiB. */
  readonly usage?: { readonly nanoCores?: number; readonly memoryBytes?: number };
}

export interface ExecOutcome {
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Default 0: at once. `Infinity` never ends. */
  readonly takesMs?: number;
}

/** A program, or a function that chooses one per container, for example by `attempt`, the restart count. */
export type ProgramChoice = Program | ((metadata: ContainerMetadata, config: DeepPartial<ContainerConfig>) => Program);

/** Programs by container name or image reference; the name goes first. */
export class Programs {
  private readonly choices = new Map<string, ProgramChoice>();
  private fallback: ProgramChoice = {};

  /** `nameOrImage`: a container's name in its pod, or an image reference. Counts for containers created from now on. */
  set(nameOrImage: string, program: ProgramChoice): void {
    this.choices.set(nameOrImage, program);
  }

  /** What all other containers do. */
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
