import { execFile } from 'node:child_process';

/** How a run of a plugin ended. */
export type PluginRun =
  | { readonly ok: true; readonly stdout: string; readonly stderr: string }
  | {
      readonly ok: false;
      readonly kind: 'not-found' | 'failed' | 'cancelled';
      readonly exitCode: number;
      readonly text: string;
      readonly stderr: string;
    };

const mostOutputBytes = 1024 * 1024;

/** Runs a program by argv, without standard input; killed on the signal. Never rejects. */
export function runPlugin(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<PluginRun> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      [...args],
      { env, signal, killSignal: 'SIGKILL', maxBuffer: mostOutputBytes, encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (error === null) return resolve({ ok: true, stdout, stderr });
        const { code, name, message } = error as Error & { code?: unknown };
        const exitCode = typeof code === 'number' ? code : 1;
        const kind = code === 'ENOENT' ? 'not-found' : name === 'AbortError' ? 'cancelled' : 'failed';
        const text =
          kind === 'not-found'
            ? `exec: executable ${command} not found`
            : typeof code === 'number'
              ? `exec: executable ${command} failed with exit code ${exitCode}`
              : `exec: ${kind === 'cancelled' ? `executable ${command} did not end in time` : message.split('\n', 1)[0]}`;
        resolve({ ok: false, kind, exitCode, text, stderr });
      },
    );
    child.stdin?.end();
  });
}
