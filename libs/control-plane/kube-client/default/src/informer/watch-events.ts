import { KubeApiError, type KubeObject } from '@podwright/kube-client-interface';

/** One line of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: KubeObject;
}

/** Most bytes of one event; an object of 3 MiB, the most that an API server takes, fits however it is escaped. */
export const maxEventBytes = 32 * 1024 * 1024;

/** Takes a watch apart into its events. Throws `data-loss` at the first line that is none. */
export async function* watchEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent, void, undefined> {
  let rest: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    let data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      rest.push(data.subarray(0, end));
      const line = Buffer.concat(rest).toString('utf8').trim();
      rest = [];
      bytes = 0;
      data = data.subarray(end + 1);
      if (line !== '') yield parse(line);
    }
    bytes += data.byteLength;
    if (bytes > maxEventBytes) throw garbage(`an event is larger than ${maxEventBytes} bytes`);
    if (data.byteLength > 0) rest.push(data);
  }
}

function parse(line: string): WatchEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw garbage(`unable to decode an event from the watch stream: ${(error as Error).message}`, error);
  }
  const { type, object } = (value ?? {}) as Partial<WatchEvent>;
  if (typeof type !== 'string' || typeof object !== 'object' || object === null)
    throw garbage('unable to decode an event from the watch stream: it has no type or no object');
  return { type, object };
}

/** The error of a stream that cannot be understood. */
export function garbage(message: string, cause?: unknown): KubeApiError {
  return new KubeApiError(message, { code: 'data-loss', httpStatus: 200, cause });
}
