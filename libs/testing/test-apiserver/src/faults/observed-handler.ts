import { ApiError } from '@podwright/api-machinery';
import { KubeletError } from '@podwright/errors';
import { abortReason, type Clock } from '@podwright/time';
import type { AuditEntry, RequestLog } from '../audit/request-log.js';
import type { ApiRequest, ApiResponse } from '../http/api-request.js';
import { errorResponse, textResponse } from '../http/json-response.js';
import { connectionLost } from './open-streams.js';
import type { Fault } from './fault.js';
import type { Faults } from './faults.js';

/** Wraps the server's handler: logs requests and applies faults. Rejects when the connection is to break. */
export class ObservedHandler {
  constructor(
    private readonly inner: { handle(request: ApiRequest): Promise<ApiResponse> },
    private readonly faults: Faults,
    private readonly log: RequestLog,
    private readonly clock: Clock,
  ) {}

  async handle(request: ApiRequest): Promise<ApiResponse> {
    if (this.faults.down) {
      throw new KubeletError('connect ECONNREFUSED', { code: 'unavailable' });
    }
    const entry = this.log.add(request, this.clock.now());
    try {
      const response = await this.answer(request, entry);
      entry.code = response.status;
      return response;
    } catch (error) {
      entry.code = 0;
      throw error;
    }
  }

  private async answer(request: ApiRequest, entry: AuditEntry): Promise<ApiResponse> {
    const fault = this.faults.next(entry);
    const response = await this.faulty(request, fault);
    const { body } = response;
    if (fault?.type === 'cut') {
      return { ...response, body: this.faults.streams.relay(entry, bytesOf(body), fault.afterBytes ?? 0) };
    }
    if (body instanceof Uint8Array) return response;
    return { ...response, body: this.faults.streams.relay(entry, body) };
  }

  private async faulty(request: ApiRequest, fault: Fault | undefined): Promise<ApiResponse> {
    const { signal } = request;
    switch (fault?.type) {
      case 'status':
        if (fault.done === true) await this.inner.handle(request);
        return statusResponse(fault);
      case 'garbage':
        return {
          ...textResponse(200, '<html>not what you asked for'),
          headers: { 'content-type': 'application/json' },
        };
      case 'hang':
        if (fault.done === true) await this.inner.handle(request);
        return untilAborted(signal);
      case 'drop':
        if (fault.done === true) await this.inner.handle(request);
        throw connectionLost();
      case 'late':
        // The client may be gone by then.
        this.clock.setTimer(fault.delayMs, () => {
          void this.inner.handle({ ...request, signal: new AbortController().signal });
        });
        throw connectionLost();
      case 'twice':
        await this.inner.handle(request);
        return this.inner.handle(request);
      case 'delay': {
        const response = await this.inner.handle(request);
        await this.clock.sleep(fault.delayMs, signal);
        return response;
      }
      default:
        return this.inner.handle(request);
    }
  }
}

function statusResponse({
  status,
  reason,
  message,
  retryAfterSeconds,
}: Extract<Fault, { type: 'status' }>): ApiResponse {
  const known: Readonly<Record<number, string>> = {
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'NotFound',
    409: 'Conflict',
    410: 'Expired',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  };
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return errorResponse(
    new ApiError(status, reason ?? known[status] ?? '', message ?? `answered ${status} on demand`, details),
  );
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(abortReason(signal));
    else signal.addEventListener('abort', () => reject(abortReason(signal)), { once: true });
  });
}

async function* bytesOf(body: ApiResponse['body']): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}
