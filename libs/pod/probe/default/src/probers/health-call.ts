import { messageOf } from '@podwright/errors';
import { joinHostPort, kubeUserAgent } from '@podwright/http-action';
import { onAbort, type Clock } from '@podwright/time';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { AttemptTime } from './attempt-time.js';
import { grpcStatusOf, statusOfHttp, type GrpcStatus } from './grpc-status.js';
import { decodeHealthStatus, encodeHealthCheck } from './health-codec.js';
import { ProbeConnection } from './probe-connection.js';

/**
 * The result of a call of grpc.health.v1.Health/Check: an answer such as `SERVING`, a status other than OK, no HTTP/2
 * server on the port, or no time left.
 */
export type HealthCall =
  | { readonly kind: 'answer'; readonly serving: string }
  | { readonly kind: 'status'; readonly status: GrpcStatus }
  | { readonly kind: 'not-connected' }
  | { readonly kind: 'timeout'; readonly connected: boolean };

// The answer has two bytes; a longer one is not of this protocol.
const maxAnswerBytes = 4096;

/**
 * One call on its own connection, with Node's HTTP/2: a gRPC client with its channels, name resolution and back-offs
 * costs several times as much per call. Starts `time`.
 */
export function healthCall(
  { host, port, service }: { readonly host: string; readonly port: number; readonly service: string },
  time: AttemptTime,
  signal: AbortSignal,
  clock: Clock,
): Promise<HealthCall> {
  return new Promise((resolve) => {
    const connection = new ProbeConnection(host, port);
    const authority = joinHostPort(host, port);
    const session = connect(`http://${authority}`, { createConnection: () => connection.socket });
    // Connected in the sense of gRPC: the server has sent HTTP/2 settings. A request may be sent before.
    let connected = false;
    let settled = false;
    const settle = (call: HealthCall, complete = false): void => {
      if (settled) return;
      settled = true;
      unlisten();
      time.pause();
      if (complete) sayGoodbye(session, connection, clock, signal);
      else connection.reset();
      resolve(call);
    };
    const broken = (error: unknown): void => {
      const message = `connection error: desc = ${JSON.stringify(`error reading from server: ${messageOf(error)}`)}`;
      settle(connected ? { kind: 'status', status: { code: 'Unavailable', message } } : { kind: 'not-connected' });
    };
    const unlisten = onAbort(signal, () => settle({ kind: 'timeout', connected }));
    session.once('remoteSettings', () => (connected = true));
    session.on('error', broken);
    session.once('close', () => broken(new Error('EOF')));
    // The session does not notice that the server has closed its half.
    connection.socket.once('end', () => broken(new Error('EOF')));
    connection.socket.resume();
    time.start(() => settle({ kind: 'timeout', connected }));
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      'user-agent': kubeUserAgent('probe'),
      te: 'trailers',
      'grpc-timeout': `${Math.ceil(time.remainingMs)}m`,
    });
    stream.on('error', broken);
    collect(stream, (call) => settle(call, true));
    stream.end(encodeHealthCheck(service));
  });
}

function collect(stream: ClientHttp2Stream, settle: (call: HealthCall) => void): void {
  let status: GrpcStatus | undefined;
  let answer: Buffer = Buffer.alloc(0);
  stream.once('response', (headers) => {
    const foreign = statusOfHttp(headers[':status'] ?? 0, headers['content-type'] ?? '');
    status = grpcStatusOf(headers as Parameters<typeof grpcStatusOf>[0]);
    const early = status ?? foreign;
    if (foreign !== undefined && early !== undefined) settle({ kind: 'status', status: early });
  });
  stream.once('trailers', (trailers) => {
    status = grpcStatusOf(trailers as Parameters<typeof grpcStatusOf>[0]) ?? status;
  });
  stream.on('data', (piece: Buffer) => {
    answer = Buffer.concat([answer, piece]);
    if (answer.length <= maxAnswerBytes) return;
    const message = `grpc: received message larger than max (${answer.length} vs. ${maxAnswerBytes})`;
    settle({ kind: 'status', status: { code: 'ResourceExhausted', message } });
  });
  stream.once('end', () => settle(outcomeOf(status, answer)));
}

function outcomeOf(status: GrpcStatus | undefined, answer: Buffer): HealthCall {
  if (status === undefined) {
    const message = 'server closed the stream without sending trailers';
    return { kind: 'status', status: { code: 'Internal', message } };
  }
  if (status.code !== 'OK') return { kind: 'status', status };
  try {
    return { kind: 'answer', serving: decodeHealthStatus(answer) };
  } catch (error) {
    return { kind: 'status', status: { code: 'Internal', message: messageOf(error) } };
  }
}

// Tells the server that nothing follows, so that it closes the connection and sees no broken one.
function sayGoodbye(session: ClientHttp2Session, connection: ProbeConnection, clock: Clock, signal: AbortSignal): void {
  if (!session.destroyed) session.goaway();
  connection.finish(clock, signal);
}
