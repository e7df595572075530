import { STATUS_CODES } from 'node:http';
import { errorCodes, grpcCodeName } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';

// By number, in Go's spelling.
const codeNames: readonly string[] = ['OK', ...errorCodes.map(grpcCodeName)];

/** How a call ended; `code` in Go's spelling, such as `Unavailable`. */
export interface GrpcStatus {
  readonly code: string;
  readonly message: string;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The status in the last headers of an answer; without one it is unknown. Source: grpc-go v1.79 http2_client.go. */
export function grpcStatusOf(headers: Headers): GrpcStatus {
  const { 'grpc-message': message } = headers;
  const number = headers['grpc-status'];
  return (
    malformedStatus(headers) ?? {
      code: typeof number === 'string' ? codeName(Number(number)) : 'Unknown',
      message: typeof message === 'string' ? unescape(message) : '',
    }
  );
}

/** What is wrong with headers: a status that is no number, or an answer that is not gRPC. */
export function faultOf(headers: Headers, httpStatus: number): GrpcStatus | undefined {
  const malformed = malformedStatus(headers);
  if (malformed !== undefined) return malformed;
  const { 'content-type': type } = headers;
  if (typeof type === 'string' && /^application\/grpc($|[+;])/.test(type)) return undefined;
  const words = httpWords[httpStatus] ?? STATUS_CODES[httpStatus] ?? '';
  const status = `unexpected HTTP status code received from server: ${httpStatus} (${words})`;
  const received =
    typeof type === 'string'
      ? `transport: received unexpected content-type ${goQuote(type)}`
      : 'malformed header: missing HTTP content-type';
  return { code: codesOfHttp[httpStatus] ?? 'Unknown', message: `${status}; ${received}` };
}

function malformedStatus({ 'grpc-status': number }: Headers): GrpcStatus | undefined {
  if (typeof number !== 'string') return undefined;
  const problem = !/^[+-]?\d+$/.test(number)
    ? 'invalid syntax'
    : Number(number) > 2 ** 31 - 1 || Number(number) < -(2 ** 31)
      ? 'value out of range'
      : undefined;
  if (problem === undefined) return undefined;
  const message = `transport: malformed grpc-status: strconv.ParseInt: parsing ${goQuote(number)}: ${problem}`;
  return { code: 'Unknown', message };
}

// Go's codes are unsigned.
const codeName = (number: number): string => codeNames[number] ?? `Code(${number >>> 0})`;

// grpc-go internal/transport/http_util.go HTTPStatusConvTab.
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

// Where Go's names of HTTP statuses are not Node's.
const httpWords: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  414: 'Request URI Too Long',
  416: 'Requested Range Not Satisfiable',
  418: "I'm a teapot",
  509: '',
};

// Node reads headers as Latin-1; their bytes and those behind percent signs are UTF-8.
function unescape(message: string): string {
  const bytes = message.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number(`0x${hex}`)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
