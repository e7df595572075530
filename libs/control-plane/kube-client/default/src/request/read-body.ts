import { KubeApiError } from '@podwright/kube-client-interface';

/**
 * Maximum size of one answer in bytes. A page of 500 objects is rarely larger than 10 MiB; a node cannot hold much
 * more.
 */
export const maxAnswerBytes = 256 * 1024 * 1024;

/** Reads the whole body. Rejects with `resource-exhausted` beyond the limit, otherwise as the stream does. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number = maxAnswerBytes): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      const message = `the answer is larger than ${maxBytes} bytes`;
      throw new KubeApiError(message, { code: 'resource-exhausted', httpStatus: 0 });
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined
    ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
    : Buffer.concat(chunks, bytes);
}
