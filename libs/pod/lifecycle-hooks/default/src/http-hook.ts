import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { httpGetRequest, isPlainAnswer, joinHostPort, type HttpGetAction } from '@podwright/http-action';
import { podRef, type Container, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Counter } from '@podwright/metrics';
import { getAndDiscard } from './http-request.js';
import { podIpNow } from './pod-ip.js';

export interface HttpHookDeps {
  readonly runtime: Pick<RuntimeService, 'listPodSandbox' | 'podSandboxStatus'>;
  readonly recorder: EventRecorder;
  readonly logger: Logger;
  readonly fallbacks: Counter;
}

/** Runs httpGet hooks. Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go runHTTPHandler. */
export class HttpHook {
  constructor(private readonly deps: HttpHookDeps) {}

  /** Resolves with any answer, whatever its status. */
  async run(action: HttpGetAction, pod: Pod, container: Container, signal: AbortSignal): Promise<void> {
    const host = action.host || (await podIpNow(this.deps.runtime, pod, signal));
    const request = httpGetRequest(action, container, host, 'lifecycle');
    const authority = joinHostPort(host, request.port);
    try {
      await getAndDiscard(request, signal);
    } catch (error) {
      if (!(error instanceof KubeletError) || !isPlainAnswer(error.cause)) throw error;
      const fields = { pod: podRef(pod), host: authority, error };
      this.deps.logger.debug(1, 'HTTPS request to lifecycle hook got HTTP response, retrying with HTTP', fields);
      // Before 1.26 every hook used http, and many servers expect that.
      const headers = request.headers.filter(([name]) => name !== 'Authorization');
      await getAndDiscard({ ...request, scheme: 'http', headers }, signal).catch((cause: unknown) => {
        this.deps.logger.debug(1, 'HTTP request to lifecycle hook failed too', { ...fields, error: cause });
        throw error;
      });
      this.deps.fallbacks.increment();
      const message = `request to HTTPS lifecycle hook ${authority} got HTTP response, retry with HTTP succeeded`;
      this.deps.recorder.event({ kind: 'Pod', pod }, 'Warning', 'LifecycleHTTPFallback', message);
    }
  }
}
