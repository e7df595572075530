import { runProgram, toolLauncher, type ProgramRun, type RunProgram, type ToolRun } from '@podwright/program';
import type { Clock } from '@podwright/time';

/** Runs programs from `PATH` with arguments, with a timeout. */
export interface HostPrograms {
  /** Never rejects. */
  run(file: string, args: readonly string[]): Promise<ProgramRun>;
  /** Costs this process less. Rejects when the time is over. */
  launch(file: string, args: readonly string[]): Promise<ToolRun>;
}

/** Users may come from a slow directory service, which must not keep the kubelet from starting forever. */
const timeoutMs = 10_000;

/** `run` replaces how programs are run. */
export function hostPrograms(run: RunProgram | undefined, clock: Pick<Clock, 'deadline'>): HostPrograms {
  const inTime = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const { signal, dispose } = clock.deadline(timeoutMs);
    return work(signal).finally(dispose);
  };
  return {
    run: (file, args) => inTime((signal) => (run ?? runProgram)({ file, args }, signal)),
    launch: (file, args) => inTime((signal) => toolLauncher(run)(file, args, signal)),
  };
}
