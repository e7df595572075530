import { CLOCK, LOGGER, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { goQuote, podRef, type Container, type Pod } from '@podwright/kube-types';
import type { HookOptions, LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import { handlerText } from './handler-text.js';
import { HttpHook } from './http-hook.js';

export const lifecycleHooksNeeds = needs({
  runtime: pick(RUNTIME_SERVICE, 'execSync', 'listPodSandbox', 'podSandboxStatus'),
  recorder: EVENT_RECORDER,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});
export type LifecycleHooksNeeds = Needs<typeof lifecycleHooksNeeds>;

/**
 * {@link LifecycleHooks} that runs exec hooks in the container, httpGet hooks over the network and sleep hooks on the
 * clock.
 */
export class RuntimeLifecycleHooks implements LifecycleHooks {
  private readonly http: HttpHook;

  constructor(private readonly deps: LifecycleHooksNeeds) {
    const { runtime, recorder, logger, metrics } = deps;
    const fallbacks = metrics.counter({
      name: 'kubelet_lifecycle_handler_http_fallbacks_total',
      help: 'The number of times lifecycle handlers successfully fell back to http from https.',
    });
    // As upstream's it stays 0: there, no sleep is ever cut off, but goes on beside the stop of its container.
    metrics.counter({
      name: 'kubelet_sleep_action_terminated_early_total',
      help: 'The number of times lifecycle sleep handler got terminated before it finishes',
    });
    this.http = new HttpHook({ runtime, recorder, logger, fallbacks });
  }

  async run(
    hook: 'postStart' | 'preStop',
    pod: Pod,
    container: Container,
    containerId: string,
    signal: AbortSignal,
    { elapsedMs = 0 }: HookOptions = {},
  ): Promise<void> {
    const handler = container.lifecycle?.[hook];
    if (handler === undefined) return;
    const { exec, httpGet, sleep } = handler;
    const where = `for Container ${goQuote(container.name)} in Pod ${goQuote(podRef(pod))} failed - error:`;
    if (exec !== undefined) return this.exec(exec.command ?? [], containerId, signal, where);
    if (httpGet !== undefined) {
      return this.http.run(httpGet, pod, container, signal).catch((error: unknown) => {
        throw hookError(`HTTP lifecycle hook (${httpGet.path ?? ''}) ${where} ${messageOf(error)}`, error);
      });
    }
    if (sleep !== undefined) return this.sleep(sleep.seconds, elapsedMs, signal, where);
    throw new KubeletError(`Cannot run handler: invalid handler: ${handlerText(handler)}`, {
      code: 'invalid-argument',
    });
  }

  private async sleep(seconds: number, elapsedMs: number, signal: AbortSignal, where: string): Promise<void> {
    await this.deps.clock.sleep(Math.max(0, seconds * 1000 - elapsedMs), signal).catch((error: unknown) => {
      const cause = 'container terminated before sleep hook finished';
      throw hookError(`Sleep lifecycle hook (${seconds}) ${where} ${cause}`, error);
    });
  }

  private async exec(
    command: readonly string[],
    containerId: string,
    signal: AbortSignal,
    where: string,
  ): Promise<void> {
    const describe = (cause: string, output: string): string =>
      `Exec lifecycle hook ([${command.join(' ')}]) ${where} ${cause}, message: ${goQuote(output)}`;
    // As upstream, hooks have no time limit of their own; the signal carries the grace period.
    const result = await this.deps.runtime
      .execSync({ containerId, cmd: [...command], timeout: 0n }, { signal, timeoutMs: 0 })
      .catch((error: unknown) => {
        throw hookError(describe(rpcErrorText(error), ''), error);
      });
    if (result.exitCode === 0) return;
    const stderr = Buffer.from(result.stderr).toString();
    const cause = `command '${command.join(' ')}' exited with ${result.exitCode}: ${stderr}`;
    throw hookError(describe(cause, Buffer.from(result.stdout).toString() + stderr), undefined);
  }
}

/** Keeps the code of an aborted call: its outcome is unknown, so the hook has not failed. */
function hookError(message: string, cause: unknown): KubeletError {
  const code = cause === undefined ? 'failed-precondition' : KubeletError.from(cause).code;
  return new KubeletError(message, { code, cause });
}
