import { joinHostPort, kubeUserAgent } from '@podwright/http-action';
import { onAbort, type Clock } from '@podwright/time';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { AttemptTime } from './attempt-time.js';
import { faultOf, grpcStatusOf, type GrpcStatus } from './grpc-status.js';
import { answerOf, maxMessageBytes, type HealthAnswer } from './health-answer.js';
import { encodeHealthCheck } from './health-codec.js';
import { goAwayText, statusOfReset } from './http2-codes.js';
import { ProbeConnection } from './probe-connection.js';

/**
 * The result of a call of grpc.health.v1.Health/Check: an answer such as `SERVING`, a status other than OK, no HTTP/2
 * server on the port, or no time left.
 */
export type HealthCall =
  | HealthAnswer
  | { readonly kind: 'not-connected' }
  | { readonly kind: 'timeout'; readonly connected: boolean };

// The answer has two bytes; a longer one is not of this protocol.
const maxAnswerBytes = 4096;
const noTrailers: GrpcStatus = { code: 'Internal', message: 'server closed the stream without sending trailers' };
// The release that upstream v1.36 calls with: servers see it.
const grpcGo = 'grpc-go/1.79.3';

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
    // The stream has ended: how the connection does is of no interest.
    let answered = false;
    const settle = (call: HealthCall, complete = false): void => {
      if (settled) return;
      settled = true;
      unlisten();
      time.pause();
      if (complete) sayGoodbye(session, connection, clock, signal);
      else connection.reset();
      resolve(call);
    };
    let goAway: string | undefined;
    // After a farewell Node ends the session by itself; for Go it ends with the connection.
    const broken = (error: unknown): void => {
      if (answered) return;
      const reason = `error reading from server: ${goAway === undefined ? connection.describe(error) : 'EOF'}`;
      const farewell = `closing transport due to: connection error: desc = ${JSON.stringify(reason)}, received prior goaway: ${goAway}`;
      const status = { code: 'Unavailable', message: goAway === undefined ? reason : farewell };
      settle(connected ? { kind: 'status', status } : { kind: 'not-connected' });
    };
    const unlisten = onAbort(signal, () => settle({ kind: 'timeout', connected }));
    session.once('remoteSettings', () => (connected = true));
    session.once('goaway', (code, _last, data) => (goAway = goAwayText(code, Buffer.from(data ?? []).toString())));
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
      'user-agent': `${kubeUserAgent('probe')} ${grpcGo}`,
      te: 'trailers',
      'grpc-accept-encoding': 'gzip',
      'grpc-timeout': grpcTimeout(time.remainingMs),
    });
    stream.on('error', (error) => {
      const { rstCode = 0 } = stream;
      if (rstCode !== 0 && !session.destroyed) settle({ kind: 'status', status: statusOfReset(rstCode) }, true);
      else broken(error);
    });
    collect(stream, (answer) => {
      answered = true;
      void answer.then((call) => settle(call, true));
    });
    stream.end(encodeHealthCheck(service));
  });
}

function collect(stream: ClientHttp2Stream, settle: (answer: Promise<HealthAnswer>) => void): void {
  let status: GrpcStatus = noTrailers;
  let encoding = '';
  let body: Buffer = Buffer.alloc(0);
  const fail = (reason: GrpcStatus): void => settle(Promise.resolve({ kind: 'status', status: reason }));
  stream.once('response', (headers, flags) => {
    const fields = headers as Parameters<typeof grpcStatusOf>[0];
    const foreign = faultOf(fields, headers[':status'] ?? 0);
    if (foreign !== undefined) return fail(foreign);
    encoding = String(fields['grpc-encoding'] ?? '');
    // Headers that end the stream are its trailers.
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) status = grpcStatusOf(fields);
  });
  stream.once('trailers', (trailers) => (status = grpcStatusOf(trailers as Parameters<typeof grpcStatusOf>[0])));
  stream.on('data', (piece: Buffer) => {
    body = Buffer.concat([body, piece]);
    const announced = body.length < 5 ? 0 : body.readUInt32BE(1);
    const [bytes, limit] = announced > maxMessageBytes ? [announced, maxMessageBytes] : [body.length, maxAnswerBytes];
    if (bytes <= limit) return;
    fail({ code: 'ResourceExhausted', message: `grpc: received message larger than max (${bytes} vs. ${limit})` });
  });
  stream.once('end', () => {
    const reset = status === noTrailers && (stream.rstCode ?? 0) !== 0;
    settle(answerOf(body, encoding, reset ? statusOfReset(stream.rstCode ?? 0) : status));
  });
}

// As grpc-go: at most eight digits of the finest unit that has room. Source: internal/grpcutil/encode_duration.go.
function grpcTimeout(ms: number): string {
  const most = 99_999_999;
  const microseconds = Math.ceil(ms * 1000);
  return microseconds <= most ? `${microseconds}u` : `${Math.ceil(ms)}m`;
}

// Tells the server that nothing follows, so that it closes the connection and sees no broken one.
function sayGoodbye(session: ClientHttp2Session, connection: ProbeConnection, clock: Clock, signal: AbortSignal): void {
  if (!session.destroyed) session.goaway();
  connection.finish(clock, signal);
}
