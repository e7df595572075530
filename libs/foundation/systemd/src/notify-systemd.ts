import type { RunProgram } from '@podwright/program';

export interface NotifyDeps {
  readonly run: RunProgram;
  /** The environment of this process. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Sends systemd a state such as `READY=1`. Resolves with false when this process is no service of systemd; throws when
 * the state cannot be sent. systemd-notify(1) sends it, because Node.js has no datagram sockets in the file system. It
 * does so in the name of its parent, this process, so `NotifyAccess=main` suffices; that takes root.
 */
export async function notifySystemd({ run, env }: NotifyDeps, state: string, signal?: AbortSignal): Promise<boolean> {
  if ((env['NOTIFY_SOCKET'] ?? '') === '') return false;
  const { problem, stderr } = await run({ file: 'systemd-notify', args: [state], env }, signal);
  if (problem === undefined) return true;
  throw new Error(`systemd-notify ${state}: ${[problem, stderr.trim()].filter((part) => part !== '').join(': ')}`);
}
