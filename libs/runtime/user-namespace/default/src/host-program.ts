import type { ProgramRun, RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';

/** Runs a program from `PATH` with arguments, with a timeout. Never rejects. */
export type AskHost = (file: string, args: readonly string[]) => Promise<ProgramRun>;

/** Users may come from a slow directory service, which must not keep the kubelet from starting forever. */
const timeoutMs = 10_000;

export function askHostBy(run: RunProgram, clock: Pick<Clock, 'deadline'>): AskHost {
  return async (file, args) => {
    const { signal, dispose } = clock.deadline(timeoutMs);
    return run({ file, args }, signal).finally(dispose);
  };
}
