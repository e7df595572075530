import { HttpResponseReader } from '../../../libs/pod/probe/default/src/probers/http-response-reader.js';
import { MessageReader } from '../../../libs/foundation/grpc/src/message-frames.js';
import { RemoteStatus } from '../../../libs/foundation/grpc/src/remote-status.js';
import { eachOf, fuzzTarget, refusesAs, refusesInput } from '../fuzz-target.js';

const error = refusesAs('Error');
const inPieces = (input: Buffer, take: (piece: Buffer) => boolean): void => {
  const step = (input[0] ?? 0) + 1;
  for (let at = 1; at < input.length; at += step) if (take(input.subarray(at, at + step))) return;
};
function answerOf(input: Buffer): unknown {
  const reader = new HttpResponseReader();
  let complete = false;
  try {
    inPieces(input, (piece) => (complete = reader.push(piece)));
    if (!complete) reader.end();
    return reader.response();
  } catch (thrown) {
    if (!error(thrown)) throw thrown;
    return 'refused';
  }
}
const { run, seed } = eachOf({
  probe: (input) => {
    const answers = [input, Buffer.concat([Buffer.from([255]), input.subarray(1)])].map(answerOf);
    if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) throw new RangeError('other pieces, another answer');
  },
  grpc: (input) => {
    const reader = new MessageReader(65_536);
    inPieces(input, (piece) => reader.read(piece).length > 1000);
  },
  status: (input) => {
    const [code = '', message = ''] = input.toString('latin1').split('\n');
    const status = new RemoteStatus({ isOver: () => false, lost: () => undefined });
    status.trailers({ 'grpc-status': code, 'grpc-message': message });
    status.failure(undefined, false);
  },
});

export const target = fuzzTarget({
  name: 'http-answers',
  reads: 'answers of containers to HTTP probes, and frames and status of gRPC answers',
  seeds: () => [
    seed('probe', '\x0fHTTP/1.1 200 OK\r\nContent-Length: 3\r\nLocation: /a\r\n\r\nabc'),
    seed(
      'probe',
      '\x02HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 302 Found\nTransfer-Encoding: chunked\n\n3;x=1\r\nabc\r\n0\r\n\r\n',
    ),
    seed('grpc', Buffer.from([3, 0, 0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 0])),
    seed('status', '14\nno %e2%82%ac%zz such'),
  ],
  run,
  // The prober shows the text of Go's client.
  refuses: (thrown) => refusesInput(thrown) || error(thrown),
});
