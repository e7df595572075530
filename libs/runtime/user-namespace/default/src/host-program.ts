import { execFile } from 'node:child_process';
import { createToken } from '@podwright/assembly-interface';

export interface ProgramResult {
  /** A word when the program could not run to its end: `ENOENT` when there is none, else what ended it. */
  readonly exitCode: number | string;
  readonly stdout: string;
}

/** Runs a program in the path by argv, for at most some seconds. Never rejects. */
export type RunProgram = (file: string, args: readonly string[]) => Promise<ProgramResult>;

export const RUN_PROGRAM = createToken<RunProgram>('kubelet.user-namespace.run-program/v1');

/** Users may come from a directory service, which may be slow but must not keep the kubelet from starting for ever. */
const timeoutMs = 10_000;

export const runProgram: RunProgram = (file, args) =>
  new Promise((resolve) => {
    execFile(file, [...args], { timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, stdout) => {
      resolve({ exitCode: error === null ? 0 : (error.code ?? error.signal ?? error.message), stdout });
    });
  });
