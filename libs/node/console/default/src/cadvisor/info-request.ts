import { KubeletError, messageOf } from '@podwright/errors';
import { isJsonObject } from '@podwright/kube-types';
import type { ServerRequest } from '@podwright/server-interface';

const maxBytes = 64 * 1024;

/** Which readings a client wants; there is only that of now. */
export interface InfoRequest {
  includes(timeMs: number): boolean;
}

/**
 * cAdvisor's ContainerInfoRequest: the body of a POST, `{"num_stats": 1, "start": ..., "end": ...}`; all of it may be
 * missing. Source: google/cadvisor v0.56 info/v1/container.go.
 */
export async function infoRequest({ method, body }: Pick<ServerRequest, 'method' | 'body'>): Promise<InfoRequest> {
  const text = method === 'POST' ? new TextDecoder().decode(await body(maxBytes)) : '';
  const { num_stats: count = 60, start, end } = text.trim() === '' ? {} : decoded(text);
  if (!Number.isInteger(count)) throw wrong('num_stats', count);
  const [from, until] = [timeOf('start', start, -Infinity), timeOf('end', end, Infinity)];
  return { includes: (timeMs) => count !== 0 && timeMs >= from && timeMs <= until };
}

function decoded(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new KubeletError(`unable to decode the json value: ${messageOf(error)}`, { code: 'invalid-argument' });
  }
  throw new KubeletError('unable to decode the json value: it is no object', { code: 'invalid-argument' });
}

// Go's zero time stands for none.
const noTime = '0001-01-01T00:00:00Z';

function timeOf(field: string, value: unknown, none: number): number {
  if (value === undefined || value === null || value === noTime) return none;
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw wrong(field, value);
  return ms;
}

const wrong = (field: string, value: unknown): KubeletError =>
  new KubeletError(`unable to decode the json value: ${field} is ${JSON.stringify(value)}`, {
    code: 'invalid-argument',
  });
