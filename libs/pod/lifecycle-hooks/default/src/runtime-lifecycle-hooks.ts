import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE, rpcErrorText, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { goQuote, podRef, type Container, type Pod } from '@podwright/kube-types';
import type { HookOptions, LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import type { Counter, MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { handlerText } from './handler-text.js';
import { HttpHook } from './http-hook.js';

type HookRuntime = Pick<RuntimeService, 'execSync' | 'listPodSandbox' | 'podSandboxStatus'>;

/** {@link LifecycleHooks} in the container (exec), over the network (httpGet) and on the clock (sleep). */
@injectable()
export class RuntimeLifecycleHooks implements LifecycleHooks {
  private readonly http: HttpHook;
  private readonly sleepsCutOff: Counter;

  constructor(
    @inject(RUNTIME_SERVICE) private readonly runtime: HookRuntime,
    @inject(EVENT_RECORDER) recorder: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
  ) {
    const fallbacks = metrics.counter({
      name: 'kubelet_lifecycle_handler_http_fallbacks_total',
      help: 'The number of times lifecycle handlers successfully fell back to http from https.',
    });
    this.sleepsCutOff = metrics.counter({
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
    await this.clock.sleep(Math.max(0, seconds * 1000 - elapsedMs), signal).catch((error: unknown) => {
      this.sleepsCutOff.increment();
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
    // Upstream gives hooks no time limit of their own; the signal carries the grace period.
    const result = await this.runtime
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

/** Keeps the code of a call that was cut off: such a hook has not failed, nobody knows how it would have ended. */
function hookError(message: string, cause: unknown): KubeletError {
  const code = cause === undefined ? 'failed-precondition' : KubeletError.from(cause).code;
  return new KubeletError(message, { code, cause });
}

export interface LifecycleHookDeps {
  readonly runtime: HookRuntime;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Without DI. */
export function createLifecycleHooks({ runtime, recorder, clock, logger, metrics }: LifecycleHookDeps): LifecycleHooks {
  return new RuntimeLifecycleHooks(runtime, recorder, clock, logger, metrics);
}
