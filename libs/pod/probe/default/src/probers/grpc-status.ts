import { errorCodes, grpcCodeName } from '@podwright/errors';

// By number, in Go's spelling.
const codeNames: readonly string[] = ['OK', ...errorCodes.map(grpcCodeName)];

/** How a call ended; `code` in Go's spelling, such as `Unavailable`. */
export interface GrpcStatus {
  readonly code: string;
  readonly message: string;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The status in headers or trailers; undefined when they have none. */
export function grpcStatusOf(headers: Headers): GrpcStatus | undefined {
  const number = headers['grpc-status'];
  if (typeof number !== 'string') return undefined;
  const message = headers['grpc-message'];
  return {
    code: codeNames[Number(number)] ?? `Code(${number.slice(0, 20)})`,
    message: typeof message === 'string' ? unescape(message) : '',
  };
}

/** The status of an answer that is not gRPC. Source: grpc-go internal/transport/http_util.go HTTPStatusConvTab. */
export function statusOfHttp(httpStatus: number, contentType: string): GrpcStatus | undefined {
  if (httpStatus === 200 && contentType.startsWith('application/grpc')) return undefined;
  const detail = `unexpected HTTP status code received from server: ${httpStatus}`;
  const type = contentType === '' ? 'missing content-type field' : `received unexpected content-type "${contentType}"`;
  if (httpStatus === 200) return { code: 'Unknown', message: `transport: ${type}` };
  return { code: codesOfHttp[httpStatus] ?? 'Unknown', message: `${detail}; transport: ${type}` };
}

const codesOfHttp: Readonly<Record<number, string>> = {
  400: 'Internal',
  401: 'Unauthenticated',
  403: 'PermissionDenied',
  404: 'Unimplemented',
  429: 'Unavailable',
  502: 'Unavailable',
  503: 'Unavailable',
  504: 'Unavailable',
};

function unescape(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message; // shown as it came rather than not at all
  }
}
