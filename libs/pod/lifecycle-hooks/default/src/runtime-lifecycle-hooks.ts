import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { podRef, type Container, type Pod } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';

/** {@link LifecycleHooks} with exec and sleep handlers. An httpGet handler is not called; the log says so each time. */
@injectable()
export class RuntimeLifecycleHooks implements LifecycleHooks {
  constructor(
    @inject(RUNTIME_SERVICE) private readonly runtime: RuntimeService,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(
    hook: 'postStart' | 'preStop',
    pod: Pod,
    container: Container,
    containerId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const handler = container.lifecycle?.[hook];
    if (handler === undefined) return;
    if (handler.exec !== undefined) return this.exec(handler.exec.command ?? [], pod, container, containerId, signal);
    if (handler.sleep !== undefined) return this.sleep(handler.sleep.seconds, pod, container, signal);
    if (handler.httpGet !== undefined) {
      this.logger.warn('httpGet hooks are not called by this implementation', {
        pod: podRef(pod),
        container: container.name,
        hook,
      });
      return;
    }
    throw new KubeletError(`invalid handler: ${JSON.stringify(handler)}`, { code: 'invalid-argument' });
  }

  private async sleep(seconds: number, pod: Pod, container: Container, signal: AbortSignal): Promise<void> {
    await this.clock.sleep(seconds * 1000, signal).catch((error: unknown) => {
      const where = `for Container "${container.name}" in Pod "${podRef(pod)}"`;
      const message = `Sleep lifecycle hook (${seconds}) ${where} failed - error: container terminated before sleep hook finished`;
      throw new KubeletError(message, { code: 'cancelled', cause: error });
    });
  }

  private async exec(
    command: readonly string[],
    pod: Pod,
    container: Container,
    containerId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const describe = (cause: string, output: string): string =>
      `Exec lifecycle hook ([${command.join(' ')}]) for Container "${container.name}" in Pod "${podRef(pod)}" failed - error: ${cause}, message: ${JSON.stringify(output)}`;
    // Upstream gives hooks no time limit of their own; the signal carries the grace period.
    const result = await this.runtime
      .execSync({ containerId, cmd: [...command], timeout: 0n }, { signal, timeoutMs: 0 })
      .catch((error: unknown) => {
        throw new KubeletError(describe(messageOf(error), ''), { code: 'failed-precondition', cause: error });
      });
    if (result.exitCode === 0) return;
    const stderr = Buffer.from(result.stderr).toString();
    const cause = `command '${command.join(' ')}' exited with ${result.exitCode}: ${stderr}`;
    throw new KubeletError(describe(cause, Buffer.from(result.stdout).toString() + stderr), {
      code: 'failed-precondition',
    });
  }
}

export interface LifecycleHookDeps {
  readonly runtime: RuntimeService;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Without DI. */
export function createLifecycleHooks({ runtime, clock, logger }: LifecycleHookDeps): LifecycleHooks {
  return new RuntimeLifecycleHooks(runtime, clock, logger);
}
