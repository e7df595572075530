import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';
import { decodeAnswer, type DriverAnswer, type DriverCapabilities } from './driver-answer.js';

/** Commands that the kubelet sends. */
export type DriverCommand =
  | 'init'
  | 'attach'
  | 'detach'
  | 'waitforattach'
  | 'mountdevice'
  | 'unmountdevice'
  | 'mount'
  | 'unmount'
  | 'expandfs';

export interface FlexDriverDeps {
  readonly run: RunProgram;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface FlexDriverOptions {
  /** Upstream's name: `<vendor>/<driver>`. */
  readonly name: string;
  readonly executable: string;
  /** Longest time for one call. */
  readonly callTimeoutMs: number;
}

/** Calls one driver. Source: kubernetes v1.36 pkg/volume/flexvolume/driver-call.go. */
export class FlexDriver {
  private readonly unsupported = new Set<DriverCommand>();

  constructor(
    private readonly deps: FlexDriverDeps,
    private readonly options: FlexDriverOptions,
  ) {}

  get name(): string {
    return this.options.name;
  }

  /** Rejects when the driver refuses, or does not know the command. */
  async init(signal: AbortSignal): Promise<DriverCapabilities> {
    const answer = await this.call('init', [], signal);
    if (answer === undefined) throw new KubeletError('Not supported', { code: 'unimplemented' });
    return answer.capabilities;
  }

  /**
   * Undefined when the driver does not support the command; it is not asked again then. Rejects with `timeout` when the
   * driver takes too long; it is killed then, with all its children.
   */
  async call(command: DriverCommand, args: readonly string[], signal?: AbortSignal): Promise<DriverAnswer | undefined> {
    if (this.unsupported.has(command)) return undefined;
    const { executable, callTimeoutMs } = this.options;
    const deadline = this.deps.clock.deadline(callTimeoutMs, signal);
    try {
      // A driver may leave a process behind that serves the mount.
      const program = { file: executable, args: [command, ...args], keepChildren: true };
      const { end, problem, stdout, stderr } = await this.deps.run(program, deadline.signal);
      if (end.how === 'aborted') {
        signal?.throwIfAborted();
        throw new KubeletError('timeout', { code: 'deadline-exceeded' });
      }
      if (end.how === 'not-started') throw new KubeletError(problem ?? 'not started', { code: 'unavailable' });
      const answer = decodeAnswer(command, stdout.trim() === '' ? stderr : stdout);
      if (answer === undefined) this.unsupported.add(command);
      else if (problem !== undefined) {
        this.deps.logger.error('FlexVolume: driver bug: it failed, but its answer has no error', {
          ...{ driver: this.name, command, problem },
        });
        throw new KubeletError(problem, { code: 'unavailable' });
      }
      return answer;
    } finally {
      deadline.dispose();
    }
  }
}
