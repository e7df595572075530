import type { Asked } from '../tape/asked.js';
import type { RecordingTape } from '../tape/recording-tape.js';
import { standIn } from './stand-in.js';
import { tappedStream } from './tapped-stream.js';

/** Which calls of a role are recorded, and how. */
export interface CallRules {
  /** Undefined: the call is not recorded. */
  readonly asked: (method: string, args: readonly unknown[]) => Asked | undefined;
  /** What is kept of an answer or of an item of a stream. */
  readonly kept: (method: string, answer: unknown) => unknown;
}

type Call = (...args: readonly unknown[]) => unknown;

/** The role with its calls recorded; all else passes. Calls that return an async iterable are streams. */
export function recordedCalls<T extends object>(inner: T, tape: RecordingTape, rules: CallRules): T {
  const wrapped = new Map<PropertyKey, unknown>();
  return standIn(inner, (name, value) => {
    if (typeof value !== 'function' || typeof name !== 'string') return value;
    const known = wrapped.get(name) ?? recordedCall(value as Call, name, tape, rules);
    wrapped.set(name, known);
    return known;
  });
}

function recordedCall(perform: Call, method: string, tape: RecordingTape, { asked, kept }: CallRules): Call {
  return (...args) => {
    const about = asked(method, args);
    if (about === undefined) return perform(...args);
    const begun = tape.begin(about);
    const returned = perform(...args);
    if (isStream(returned)) {
      const stream = tape.opened(begun);
      return tappedStream(returned, {
        item: (item) => tape.item(stream, kept(method, item)),
        end: (error) => tape.closed(stream, error),
      });
    }
    return Promise.resolve(returned).then(
      (answer) => {
        tape.answered(begun, kept(method, answer));
        return answer;
      },
      (error: unknown) => {
        tape.failed(begun, error);
        throw error;
      },
    );
  };
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
