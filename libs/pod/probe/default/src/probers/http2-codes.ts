import type { GrpcStatus } from './grpc-status.js';

// By number: Go's name, and grpc-go's code for a stream that ends with it (internal/transport/http_util.go http2ErrConvTab).
const codes: readonly (readonly [name: string, code: string])[] = [
  ['NO_ERROR', 'Internal'],
  ['PROTOCOL_ERROR', 'Internal'],
  ['INTERNAL_ERROR', 'Internal'],
  ['FLOW_CONTROL_ERROR', 'ResourceExhausted'],
  ['SETTINGS_TIMEOUT', 'Internal'],
  ['STREAM_CLOSED', 'Internal'],
  ['FRAME_SIZE_ERROR', 'Internal'],
  ['REFUSED_STREAM', 'Unavailable'],
  ['CANCEL', 'Canceled'],
  ['COMPRESSION_ERROR', 'Internal'],
  ['CONNECT_ERROR', 'Internal'],
  ['ENHANCE_YOUR_CALM', 'ResourceExhausted'],
  ['INADEQUATE_SECURITY', 'PermissionDenied'],
  ['HTTP_1_1_REQUIRED', 'Internal'],
];

const nameOf = (number: number): string => codes[number]?.[0] ?? `unknown error code 0x${number.toString(16)}`;

/** The status of a stream that the server has reset. */
export function statusOfReset(number: number): GrpcStatus {
  const message = `stream terminated by RST_STREAM with error code: ${nameOf(number)}`;
  return { code: codes[number]?.[1] ?? 'Unknown', message };
}

/** What the server has announced before it closed the connection, as grpc-go repeats it. */
export function goAwayText(number: number, debugData: string): string {
  return `code: ${nameOf(number)}${debugData === '' ? '' : `, debug data: ${JSON.stringify(debugData)}`}`;
}
