import { messageOf } from '@podwright/errors';
import {
  httpGetRequest,
  mostRedirects,
  redirectedRequest,
  requestFailure,
  requestRefusal,
  tooManyRedirects,
  type HttpGetAction,
  type HttpGetRequest,
} from '@podwright/http-action';
import type { Prober, ProbeOutcome, ProbeTarget } from '@podwright/probe-interface';
import type { Clock } from '@podwright/time';
import type { AttemptTime } from './attempt-time.js';
import { httpExchange } from './http-exchange.js';
import type { HttpResponse } from './http-response-reader.js';
import type { StallGuard } from './stall-guard.js';
import { targetHost } from './target-host.js';

/** Succeeds when a GET request gets a good status. Source: kubernetes v1.36 pkg/probe/http/http.go. */
export class HttpProber implements Prober<HttpGetAction> {
  constructor(
    private readonly guard: StallGuard,
    private readonly clock: Clock,
  ) {}

  async probe(
    action: HttpGetAction,
    target: ProbeTarget,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ProbeOutcome> {
    const request = httpGetRequest(action, target.container, targetHost(action.host, target), 'probe');
    return this.guard.run(timeoutMs, signal, (time) => this.follow(request, time, signal));
  }

  private async follow(first: HttpGetRequest, time: AttemptTime, signal: AbortSignal): Promise<ProbeOutcome> {
    let request = first;
    for (let hops = 0; ; hops += 1) {
      const failure = (text: string): ProbeOutcome => ({
        result: 'failure',
        output: requestFailure(request, text),
      });
      const refused = requestRefusal(request);
      if (refused !== undefined) return failure(refused);
      const exchange = await httpExchange(request, time, signal, this.clock);
      if (exchange.kind === 'no-answer') return failure(exchange.text);
      if (exchange.kind === 'broken-body') return { result: 'failure', error: exchange.text };
      const { status, location } = exchange.response;
      let next: HttpGetRequest | undefined;
      try {
        next = redirectedRequest(request, status, location);
      } catch (error) {
        return failure(messageOf(error));
      }
      if (next === undefined) return judge(exchange.response);
      if (hops + 1 >= mostRedirects) return { result: 'failure', output: tooManyRedirects(location) };
      request = next;
    }
  }
}

function judge({ status, body }: HttpResponse): ProbeOutcome {
  if (status < 200 || status >= 400) {
    return { result: 'failure', output: `HTTP probe failed with statuscode: ${status}` };
  }
  if (status < 300) return { result: 'success', output: body };
  return { result: 'warning', output: `Probe terminated redirects, Response body: ${body}` };
}
