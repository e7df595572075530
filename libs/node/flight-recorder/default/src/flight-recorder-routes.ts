import { hasCode, messageOf } from '@podwright/errors';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import type { FileFlightRecorder } from './file-flight-recorder.js';

const mostSeconds = 3_600;

/** `/recording`: what is kept; with `?seconds=N` from now on for so long. Upstream has none. */
export function flightRecorderRoutes(recorder: FileFlightRecorder): readonly ServerRoute[] {
  return [
    {
      methods: ['GET'],
      produces: ['application/gzip'],
      metricPath: 'recording',
      path: '/recording',
      handle: async ({ query, signal }: ServerRequest): Promise<Answer> => {
        const wanted = query.get('seconds');
        const seconds = Number(wanted ?? 1);
        if (!Number.isInteger(seconds) || seconds < 1 || seconds > mostSeconds)
          return text(400, `seconds must be a whole number from 1 to ${mostSeconds}, not ${JSON.stringify(wanted)}\n`);
        return answer(wanted === null ? recorder.read(signal) : recorder.recordFor(seconds * 1_000, signal));
      },
    },
  ];
}

/** The status says whether there is a recording, so its first part is awaited. */
async function answer(recording: AsyncIterable<Uint8Array>): Promise<Answer> {
  const parts = recording[Symbol.asyncIterator]();
  try {
    const first = await parts.next();
    const body = (async function* () {
      try {
        if (first.done !== true) yield first.value;
        for (;;) {
          const { done, value } = await parts.next();
          if (done === true) return;
          yield value;
        }
      } finally {
        await parts.return?.();
      }
    })();
    return { status: 200, headers: { 'Content-Type': 'application/gzip' }, body };
  } catch (error) {
    if (!hasCode(error, 'failed-precondition')) throw error;
    return text(409, `${messageOf(error)}\n`);
  }
}
