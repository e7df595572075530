import type { IncomingMessage } from 'node:http';
import { badRequest, internalError, type Answer } from './answer.js';
import { bodyErrorAnswer, readBody } from './request-body.js';
import { requestTarget } from './request-target.js';
import type { Route } from './route.js';
import { Router } from './router.js';

export interface RequestHandlerOptions {
  readonly routes: readonly Route[];
  readonly onError: (error: unknown) => void;
}

/** From a request to its answer: the way through target, router and route. */
export class RequestHandler {
  private readonly router: Router;

  constructor(private readonly options: RequestHandlerOptions) {
    this.router = new Router(options.routes);
  }

  async answer(request: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const { method = 'GET', headers, url } = request;
    const target = requestTarget(url);
    if (target === undefined) return badRequest;
    const routed = this.router.find(method, target, headers.accept);
    if ('answer' in routed) return routed.answer;
    const { path, query } = target;
    const body = (maxBytes: number): Promise<Uint8Array> => readBody(request, maxBytes);
    try {
      return await routed.route.handle({
        ...{ method, path, query, headers, signal, body, user: undefined },
        parameters: routed.parameters,
      });
    } catch (error) {
      const answer = bodyErrorAnswer(error);
      if (answer !== undefined) return answer;
      this.options.onError(error);
      return internalError;
    }
  }
}
