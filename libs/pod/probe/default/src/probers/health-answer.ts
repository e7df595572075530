import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { goQuote } from '@podwright/kube-types';
import type { GrpcStatus } from './grpc-status.js';
import { decodeHealthStatus } from './health-codec.js';

/** What a call of grpc.health.v1.Health/Check came to. */
export type HealthAnswer =
  | { readonly kind: 'answer'; readonly serving: string }
  | { readonly kind: 'status'; readonly status: GrpcStatus };

const unpack = promisify(gunzip);
const headBytes = 5;
const violation = 'cardinality violation:';
const noMessage = `${violation} received no response message from non-server-streaming RPC`;
const secondMessage = `${violation} expected <EOF> for non server-streaming RPCs, but received another message`;

/** grpc-go's limit of a message. */
export const maxMessageBytes = 4 * 1024 * 1024;

/**
 * Judges the body of a stream that has ended with a status. A faulty message counts more than the status does, and half a
 * head as nothing. Source: grpc-go v1.79 stream.go recvMsg and rpc_util.go recvAndDecompress.
 */
export async function answerOf(body: Buffer, encoding: string, status: GrpcStatus): Promise<HealthAnswer> {
  if (body.length < headBytes) return status.code === 'OK' ? fault(noMessage) : { kind: 'status', status };
  const end = headBytes + body.readUInt32BE(1);
  if (body.length < end) return fault('unexpected EOF');
  const message = await messageIn(body.subarray(0, end), encoding);
  if (typeof message === 'string') return fault(message);
  const serving = decodeHealthStatus(message);
  if (serving === undefined) {
    return fault('grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data');
  }
  const rest = body.subarray(end);
  if (rest.length >= headBytes) {
    return fault(rest.length < headBytes + rest.readUInt32BE(1) ? 'unexpected EOF' : secondMessage);
  }
  return status.code === 'OK' ? { kind: 'answer', serving } : { kind: 'status', status };
}

/** The message of a frame, or what is wrong with it. */
async function messageIn(frame: Buffer, encoding: string): Promise<Buffer | string> {
  const payload = frame.subarray(headBytes);
  const format = frame[0];
  if (format === 0) return payload;
  if (format !== 1) return `grpc: received unexpected payload format ${format}`;
  if (encoding === '' || encoding === 'identity') return 'grpc: compressed flag set with identity or empty encoding';
  if (encoding !== 'gzip') return `grpc: Decompressor is not installed for grpc-encoding ${goQuote(encoding)}`;
  try {
    return await unpack(payload, { maxOutputLength: maxMessageBytes });
  } catch {
    const gzipHeadBytes = 10;
    const problem = payload.length < gzipHeadBytes ? 'unexpected EOF' : 'gzip: invalid header';
    return `grpc: failed to decompress the message: ${problem}`;
  }
}

const fault = (message: string): HealthAnswer => ({ kind: 'status', status: { code: 'Internal', message } });
