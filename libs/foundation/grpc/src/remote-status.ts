import { STATUS_CODES } from 'node:http';
import { constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { KubeletError, type ErrorCode } from '@podwright/errors';
import { grpcStatus } from './grpc-status.js';
import { fromServiceError } from './service-error.js';

type Headers = IncomingHttpHeaders & IncomingHttpStatusHeader;

// Source: grpc/doc/http-grpc-status-mapping.md.
const codeOfHttp: Readonly<Record<number, ErrorCode>> = {
  400: 'internal',
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'unimplemented',
  429: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

// Source: grpc/doc/PROTOCOL-HTTP2.md, "Errors".
const codeOfReset: Readonly<Record<number, ErrorCode>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: 'unavailable',
  [constants.NGHTTP2_CANCEL]: 'cancelled',
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: 'resource-exhausted',
  [constants.NGHTTP2_INADEQUATE_SECURITY]: 'permission-denied',
};

/** What the server says of the end of a call. */
export class RemoteStatus {
  private known: { readonly code: number; readonly details: string } | undefined;
  private refused: KubeletError | undefined;
  private answered = false;

  /** `isOver`: whether the deadline of the call has passed; `lost`: how its connection has ended, if it has. */
  constructor(private readonly call: { readonly isOver: () => boolean; readonly lost: () => string | undefined }) {}

  response(headers: Headers): void {
    this.answered = true;
    const { ':status': status = 0 } = headers;
    if (headers['grpc-status'] !== undefined) this.trailers(headers);
    else if (status !== constants.HTTP_STATUS_OK) this.refused = unexpectedHttpStatus(status);
  }

  trailers(headers: IncomingHttpHeaders): void {
    const { 'grpc-status': code, 'grpc-message': message } = headers;
    if (typeof code !== 'string') return;
    this.known = {
      code: /^\d+$/.test(code) ? Number(code) : grpcStatus.UNKNOWN,
      details: typeof message === 'string' ? unescaped(message) : '',
    };
  }

  /** The error of the call, whose stream has closed with this code; undefined when it succeeded. */
  failure(resetCode: number | undefined, isAmid: boolean): KubeletError | undefined {
    if (this.refused !== undefined) return this.refused;
    if (this.known !== undefined) {
      if (this.known.code !== 0) return fromServiceError(this.known, this.call.isOver());
      return isAmid ? new KubeletError('unexpected EOF', { code: 'internal' }) : undefined;
    }
    const { isOver, lost } = this.call;
    return withoutStatus(resetCode, { isOver: isOver(), lost: lost(), answered: this.answered });
  }
}

const notBegun = 'refused stream';

/** Whether the server has told that it has not begun the call, so that it may be made again. Source: RFC 9113, 8.7. */
export const wasNotBegun = (error: unknown): boolean => error instanceof KubeletError && error.reason === notBegun;

interface End {
  readonly isOver: boolean;
  readonly lost: string | undefined;
  readonly answered: boolean;
}

// Node ends the streams of a connection that broke with CANCEL, too.
function withoutStatus(resetCode = 0, { isOver, lost, answered }: End): KubeletError {
  if (lost !== undefined) return new KubeletError(lost, { code: 'unavailable' });
  const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;
  if (resetCode === NGHTTP2_NO_ERROR) {
    return answered
      ? new KubeletError('server closed the stream without sending trailers', { code: 'internal' })
      : new KubeletError('error reading from server: EOF', { code: 'unavailable' });
  }
  const code = codeOfReset[resetCode] ?? 'internal';
  if (code === 'cancelled' && isOver)
    return new KubeletError('context deadline exceeded', { code: 'deadline-exceeded' });
  return new KubeletError(`stream terminated by RST_STREAM with error code: ${resetCode}`, {
    code,
    ...(resetCode === NGHTTP2_REFUSED_STREAM && { reason: notBegun }),
  });
}

function unexpectedHttpStatus(status: number): KubeletError {
  const text = `unexpected HTTP status code received from server: ${status} (${STATUS_CODES[status] ?? ''})`;
  return new KubeletError(text, { code: codeOfHttp[status] ?? 'unknown' });
}

/** Statuses are escaped as in URLs; what is no escape stays. */
function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = Buffer.from(text, 'latin1')
    .toString('latin1')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
