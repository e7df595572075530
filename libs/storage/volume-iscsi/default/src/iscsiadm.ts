import { KubeletError } from '@podwright/errors';
import { runProgram, type RunProgram } from '@podwright/program';

export interface IscsiadmAnswer {
  readonly output: string;
  /** Exit code; undefined when the program could not run. */
  readonly code: number | undefined;
  /** As {@link ProgramRun.problem}: undefined after exit code 0. */
  readonly problem: string | undefined;
}

/** Runs iscsiadm(8) with the arguments; rejects only when the signal aborts. */
export type Iscsiadm = (args: readonly string[], signal: AbortSignal) => Promise<IscsiadmAnswer>;

export function createIscsiadm(run: RunProgram = runProgram): Iscsiadm {
  return async (args, signal) => {
    const env = { ...process.env, LC_ALL: 'C' };
    // Its daemon and the sessions must survive the program.
    const { end, problem, stdout, stderr } = await run({ file: 'iscsiadm', args, env, keepChildren: true }, signal);
    if (end.how === 'aborted') signal.throwIfAborted();
    // Upstream's package for programs names none that is missing.
    const said = problem?.replace('exec: "iscsiadm": executable', 'executable');
    return { output: stdout + stderr, code: end.how === 'exited' ? end.code : undefined, problem: said };
  };
}

/** An error about a failed call, with what the program said. */
export function iscsiFault(message: string): KubeletError {
  return new KubeletError(message, { code: 'unavailable' });
}
