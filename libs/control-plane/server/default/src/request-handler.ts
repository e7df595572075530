import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasCode } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { Tracer } from '@podwright/tracing-interface';
import type { RequestAccess } from './access/access-filter.js';
import {
  badRequest,
  internalError,
  tooManyHeaders,
  tooManyRequests,
  upgradeError,
  type Answer,
} from '@podwright/http-answer';
import type { Connection } from './connections.js';
import { heldBytes, PendingAnswers } from './pending-answers.js';
import { plainAddress } from './plain-address.js';
import { bodyErrorAnswer, hasBody, readBody, readUpgradeBody } from './request-body.js';
import { hasTooManyHeaders } from './request-headers.js';
import type { CountRequest } from './request-metrics.js';
import { requestTarget, Router } from '@podwright/http-router';
import type { Route, ServerRequest } from '@podwright/server-interface';
import { writeAnswer } from './write-answer.js';

export interface RequestLimits {
  /** Most requests served at once; above, the answer is 429. */
  readonly maxRequests: number;
  /** Most upgraded connections at once; above, the answer is 429. */
  readonly maxStreams: number;
  /** From a request's head to the end of its answer, in milliseconds. Streams have no limit. */
  readonly answerTimeoutMs: number;
  /** Most bytes of all answers that clients have not taken yet; above, those of slow clients are cut off. */
  readonly maxAnswerBytes: number;
}

export interface RequestHandlerParts {
  readonly routes: readonly Route[];
  /** Absent: every request is admitted. */
  readonly access?: RequestAccess | undefined;
  readonly count: CountRequest;
  readonly limits: RequestLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer?: Tracer | undefined;
}

type BodyReader = (request: IncomingMessage, maxBytes: number) => Promise<Uint8Array>;
/** An admitted request with its route; `rawHeaders` are for a route that upgrades the connection. */
interface Admitted {
  readonly route: Route;
  readonly request: ServerRequest;
  readonly rawHeaders: readonly string[];
}

/**
 * Serves requests: finds the route, checks access, writes the answer. Source: kubernetes v1.36
 * pkg/kubelet/server/server.go.
 */
export class RequestHandler {
  private readonly router: Router<Route>;
  private readonly pending: PendingAnswers;
  private readonly underWay = new Set<AbortController>();
  private requests = 0;
  private streams = 0;

  constructor(private readonly parts: RequestHandlerParts) {
    this.router = new Router(parts.routes);
    this.pending = new PendingAnswers(parts.clock, parts.limits.maxAnswerBytes);
  }

  /** Serves a request without an upgrade. Never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse, connection?: Connection): Promise<void> {
    const { shouldKeepAlive } = response;
    const isAsking = request.headers.expect !== undefined && request.httpVersion === '1.1';
    // Without an answer to that, Node.js closes the connection after the request's answer, which has to say so.
    if (isAsking) response.shouldKeepAlive = false;
    const read: BodyReader = (whole, maxBytes) => {
      if (isAsking && hasBody(request.headers)) {
        response.writeContinue();
        response.shouldKeepAlive = shouldKeepAlive;
      }
      return readBody(whole, maxBytes);
    };
    await this.observe(request, response, connection, async (signal) => {
      const answer = await this.answer(request, signal, read, connection);
      return { status: await this.send(response, answer) };
    });
  }

  /**
   * Serves a request that asks for another protocol. A route without an upgrade answers it like any other request.
   * `stream` has what follows the request: the socket, or from Node 26 on a stream around it while the request's body
   * is not complete. Never rejects.
   */
  async upgrade(request: IncomingMessage, stream: Duplex, head: Uint8Array, connection?: Connection): Promise<void> {
    const { socket } = request;
    // Node 26 does not end the body of such a request when the client goes away.
    if (stream !== socket) socket.once('close', () => request.destroy());
    // Node's HTTP server has detached from the socket: an error without a listener would end the process.
    for (const each of new Set([socket, stream])) each.on('error', () => undefined);
    await this.observe(request, socket, connection, async (signal) => {
      const answer = await this.takeOver(request, stream, head, signal, connection);
      if (answer === undefined) return { status: 101 };
      return { status: await this.sendOver(request, socket, answer) };
    });
    socket.destroySoon();
  }

  /** Aborts the signals of all requests and streams. */
  stop(): void {
    for (const controller of this.underWay) controller.abort();
  }

  private async answer(
    request: IncomingMessage,
    signal: AbortSignal,
    read: BodyReader,
    connection: Connection | undefined,
  ): Promise<Answer> {
    if (this.requests >= this.parts.limits.maxRequests) return tooManyRequests;
    this.requests++;
    try {
      const admitted = await this.admit(request, signal, read, connection);
      return 'answer' in admitted ? admitted.answer : await this.handle(admitted);
    } finally {
      this.requests--;
    }
  }

  /** Undefined when the route has used the connection for another protocol. */
  private async takeOver(
    request: IncomingMessage,
    stream: Duplex,
    head: Uint8Array,
    signal: AbortSignal,
    connection: Connection | undefined,
  ): Promise<Answer | undefined> {
    // Up to Node 25 the body comes after the request, from the socket. From Node 26 on it comes from the request as always.
    const isInRequest = stream !== request.socket || request.readableLength > 0;
    const read: BodyReader = isInRequest ? readBody : (_, maxBytes) => readUpgradeBody(request, stream, head, maxBytes);
    const { method = 'GET', url = '/' } = request;
    const admitted = await this.admit(request, signal, read, connection);
    if ('answer' in admitted) return admitted.answer;
    const { route, rawHeaders } = admitted;
    if (route.upgrade === undefined) return this.handle(admitted);
    if (this.streams >= this.parts.limits.maxStreams) return tooManyRequests;
    this.streams++;
    try {
      const remoteAddress = plainAddress(request.socket.remoteAddress);
      const upgrade = { method, url, rawHeaders, socket: stream, head, remoteAddress };
      return await route.upgrade(admitted.request, upgrade);
    } catch (error) {
      if (stream.destroyed) return undefined;
      this.parts.logger.debug(2, 'Error while proxying request', { error, path: admitted.request.path });
      return upgradeError(error);
    } finally {
      this.streams--;
    }
  }

  private async admit(
    request: IncomingMessage,
    signal: AbortSignal,
    read: BodyReader,
    connection: Connection | undefined,
  ): Promise<Admitted | { readonly answer: Answer }> {
    if (hasTooManyHeaders(request)) return { answer: tooManyHeaders };
    const { method = 'GET', url } = request;
    if (method === 'OPTIONS' && url === '*') return { answer: { status: 200, headers: {}, body: '' } };
    const target = requestTarget(url);
    if (target === undefined) return { answer: badRequest };
    const routed = this.router.find(method, target, request.headers.accept);
    if ('answer' in routed && !routed.guarded) return routed;
    const { access } = this.parts;
    const admission =
      access === undefined
        ? { headers: request.headers, rawHeaders: request.rawHeaders, user: undefined }
        : await access.admit(request, target, signal);
    if ('refusal' in admission) return { answer: admission.refusal };
    connection?.trust();
    if ('answer' in routed) return routed;
    const { path, query } = target;
    const { headers, user, rawHeaders } = admission;
    const body = (maxBytes: number): Promise<Uint8Array> => read(request, maxBytes);
    const { route, parameters } = routed;
    return { route, rawHeaders, request: { method, path, query, headers, parameters, user, signal, body } };
  }

  private async handle({ route, request }: Admitted): Promise<Answer> {
    try {
      return await route.handle(request);
    } catch (error) {
      const answer = bodyErrorAnswer(error);
      if (answer !== undefined) return answer;
      this.report(error, request.path);
      return internalError;
    }
  }

  /** Resolves with the status that was sent. */
  private async send(response: ServerResponse, answer: Answer): Promise<number> {
    const bytes = heldBytes(answer);
    if (!this.pending.makeRoom(bytes)) return this.send(response, tooManyRequests);
    const written = bytes > 0 ? this.pending.add(response, bytes) : undefined;
    try {
      await writeAnswer(response, answer);
      return answer.status;
    } catch (error) {
      this.report(error, response.req.url ?? '');
      if (response.headersSent || response.destroyed) return answer.status;
      await writeAnswer(response, internalError);
      return internalError.status;
    } finally {
      written?.();
    }
  }

  // A client that disconnects is not a failure of the server.
  private report(error: unknown, path: string): void {
    if (hasCode(error, 'cancelled')) return;
    this.parts.logger.error('Request failed', { error, path: path.split('?', 1)[0] });
  }

  /** Sends an answer to a client whose upgrade was not served. Resolves as `send` does. */
  private async sendOver(request: IncomingMessage, socket: Socket, answer: Answer): Promise<number> {
    const { clock, limits } = this.parts;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Node's server forwards `drain` to the answer, but it has detached from this socket.
    socket.on('drain', () => response.emit('drain'));
    const timer = clock.setTimer(limits.answerTimeoutMs, () => socket.destroy());
    try {
      return await this.send(response, answer);
    } finally {
      timer.cancel();
    }
  }

  /** Counts, times and logs the work. Aborts its signal when the client disconnects, time is up or the server stops. */
  private async observe(
    request: IncomingMessage,
    client: ServerResponse | Socket,
    connection: Connection | undefined,
    work: (signal: AbortSignal) => Promise<{ readonly status: number }>,
  ): Promise<void> {
    const { clock, limits, logger, count } = this.parts;
    const { method = 'GET', url = '/' } = request;
    const path = requestTarget(url)?.path ?? '/';
    // Read now: a request that is cut off loses its address.
    const srcIP = plainAddress(request.socket.remoteAddress);
    const startedAt = clock.monotonic();
    const over = count(method, path);
    connection?.begin();
    const controller = new AbortController();
    this.underWay.add(controller);
    client.once('close', () => controller.abort());
    const timer =
      client instanceof ServerResponse ? clock.setTimer(limits.answerTimeoutMs, () => client.destroy()) : undefined;
    let status = 0;
    try {
      ({ status } = await this.traced(request, path, () => work(controller.signal)));
    } catch (error) {
      this.report(error, path);
      client.destroy();
    } finally {
      timer?.cancel();
      this.underWay.delete(controller);
      controller.abort();
      connection?.end();
      const latencyMs = clock.monotonic() - startedAt;
      over(latencyMs / 1000);
      if (logger.enabled(3)) {
        const userAgent = request.headers['user-agent'];
        const fields = { verb: method, URI: url.split('?', 1)[0], latencyMs, userAgent, srcIP };
        logger.debug(3, 'HTTP', status === 101 ? { ...fields, hijacked: true } : { ...fields, resp: status });
      }
    }
  }

  private traced<T>(request: IncomingMessage, path: string, work: () => Promise<T>): Promise<T> {
    const { tracer } = this.parts;
    if (tracer === undefined) return work();
    const attributes = { 'http.method': request.method ?? 'GET', 'http.target': path };
    return tracer.trace(path, { kind: 'server', carrier: request.headers, attributes }, work);
  }
}
