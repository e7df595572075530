import { messageOf } from '@podwright/errors';
import type { Prober, ProbeOutcome, ProbeTarget } from '@podwright/probe-interface';
import type { Clock } from '@podwright/time';
import type { AttemptTime } from './attempt-time.js';
import { httpExchange } from './http-exchange.js';
import { redirectedRequest } from './http-redirect.js';
import { probeRequest, urlOf, type HttpGetAction, type HttpRequest } from './http-request.js';
import type { HttpResponse } from './http-response-reader.js';
import type { StallGuard } from './stall-guard.js';
import { targetHost } from './target-host.js';

const maxRedirects = 10;
// A name or value that holds one of these would be a request of its own.

const unsafeInHeader = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Whether a GET request is answered well. Source: kubernetes v1.36 pkg/probe/http/http.go. */
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
    const request = probeRequest(action, target.container, targetHost(action.host, target));
    return this.guard.run(timeoutMs, signal, (time) => this.follow(request, time, signal));
  }

  private async follow(first: HttpRequest, time: AttemptTime, signal: AbortSignal): Promise<ProbeOutcome> {
    let request = first;
    for (let hops = 0; ; hops += 1) {
      const failure = (text: string): ProbeOutcome => ({
        result: 'failure',
        output: `Get ${JSON.stringify(urlOf(request))}: ${text}`,
      });
      const refused = refusalOf(request);
      if (refused !== undefined) return failure(refused);
      const exchange = await httpExchange(request, time, signal, this.clock);
      if (exchange.kind === 'no-answer') return failure(exchange.text);
      if (exchange.kind === 'broken-body') return { result: 'failure', error: exchange.text };
      const { status, location } = exchange.response;
      let next: HttpRequest | undefined;
      try {
        next = redirectedRequest(request, status, location);
      } catch (error) {
        return failure(messageOf(error));
      }
      if (next === undefined) return judge(exchange.response);
      if (hops + 1 >= maxRedirects) return failure('stopped after 10 redirects');
      request = next;
    }
  }
}

function refusalOf({ scheme, headers }: HttpRequest): string | undefined {
  if (scheme !== 'http' && scheme !== 'https') return `unsupported protocol scheme ${JSON.stringify(scheme)}`;
  const unsafe = headers.find(([name, value]) => unsafeInHeader.test(name) || unsafeInHeader.test(value));
  return unsafe && `net/http: invalid header field value for ${JSON.stringify(unsafe[0])}`;
}

function judge({ status, body }: HttpResponse): ProbeOutcome {
  if (status < 200 || status >= 400) {
    return { result: 'failure', output: `HTTP probe failed with statuscode: ${status}` };
  }
  if (status < 300) return { result: 'success', output: body };
  return { result: 'warning', output: `Probe terminated redirects, Response body: ${body}` };
}
