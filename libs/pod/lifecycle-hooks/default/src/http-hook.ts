import type { RuntimeService } from '@podwright/cri-client-interface';
import { rpcErrorText } from '@podwright/cri-client-interface';
import { KubeletError, hasCode } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { podRef, type Container, type LifecycleHandler, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Counter } from '@podwright/metrics';
import { isPlainAnswer } from './go-network-error.js';
import { getAndDiscard } from './http-request.js';
import { podIpNow } from './pod-ip.js';
import { requestHeaders, without } from './request-headers.js';
import { authorityOf, requestTarget } from './request-target.js';

export interface HttpHookDeps {
  readonly runtime: Pick<RuntimeService, 'listPodSandbox' | 'podSandboxStatus'>;
  readonly recorder: EventRecorder;
  readonly logger: Logger;
  readonly fallbacks: Counter;
}

/** Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go runHTTPHandler. */
export class HttpHook {
  constructor(private readonly deps: HttpHookDeps) {}

  /** Resolves with any answer, whatever its status. */
  async run(
    action: NonNullable<LifecycleHandler['httpGet']>,
    pod: Pod,
    container: Container,
    signal: AbortSignal,
  ): Promise<void> {
    const host = action.host || (await this.podIp(pod, signal));
    const target = requestTarget(action, container, host);
    const headers = requestHeaders(action.httpHeaders);
    try {
      await getAndDiscard(target, headers, signal);
    } catch (error) {
      if (!(error instanceof KubeletError) || !isPlainAnswer(error.cause)) throw error;
      const fields = { pod: podRef(pod), host: authorityOf(target), error };
      this.deps.logger.debug(1, 'HTTPS request to lifecycle hook got HTTP response, retrying with HTTP', fields);
      // Before 1.26 every hook went over http, and many servers were built for that.
      const open = { ...target, scheme: 'http' } as const;
      await getAndDiscard(open, without(headers, 'Authorization'), signal).catch((cause: unknown) => {
        this.deps.logger.debug(1, 'HTTP request to lifecycle hook failed too', { ...fields, error: cause });
        throw error;
      });
      this.deps.fallbacks.increment();
      const message = `request to HTTPS lifecycle hook ${authorityOf(target)} got HTTP response, retry with HTTP succeeded`;
      this.deps.recorder.event({ kind: 'Pod', pod }, 'Warning', 'LifecycleHTTPFallback', message);
    }
  }

  private async podIp(pod: Pod, signal: AbortSignal): Promise<string> {
    try {
      return await podIpNow(this.deps.runtime, pod, signal);
    } catch (error) {
      if (hasCode(error, 'failed-precondition')) throw error;
      throw new KubeletError(rpcErrorText(error), { code: KubeletError.from(error).code, cause: error });
    }
  }
}
