import { isError } from '@podwright/errors';

const deepestCause = 8;

/** The message of any thrown value and the messages of its causes, `a: b: c`, without repetition. Never throws. */
export function describeError(thrown: unknown): string {
  let text = '';
  let current = thrown;
  for (let depth = 0; depth < deepestCause && current !== undefined && current !== null; depth++) {
    const message = ownMessage(current);
    // A wrapper often repeats the message of its cause.
    if (text === '') text = message;
    else if (!text.includes(message)) text += `: ${message}`;
    current = isError(current) ? current.cause : undefined;
  }
  return text;
}

function ownMessage(thrown: unknown): string {
  if (!isError(thrown)) return String(thrown);
  const inner = (thrown as { errors?: unknown }).errors;
  const message = thrown.message === '' ? thrown.name : thrown.message;
  if (!Array.isArray(inner) || inner.length === 0) return message;
  const several = inner.slice(0, deepestCause).map((error) => (isError(error) ? error.message : String(error)));
  return `${message}: [${several.join(', ')}]`;
}

const bugs: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);
const mostFrames = 8;

/** The stack frames of an error that is probably a bug in the program; undefined for other errors. */
export function stackOfBug(thrown: unknown): string | undefined {
  if (!isError(thrown) || !bugs.has(thrown.name) || typeof thrown.stack !== 'string') return undefined;
  const frames = thrown.stack.split('\n').filter((line) => line.startsWith('    at '));
  return frames.length === 0
    ? undefined
    : frames
        .slice(0, mostFrames)
        .map((line) => line.trim())
        .join('\n');
}
