import { KubeApiError } from '@podwright/kube-client-interface';

/** Most bytes of one answer: a page of 500 objects of the size that etcd takes would be larger, but is not met in practice. */
export const maxAnswerBytes = 256 * 1024 * 1024;

/** The whole body as text. Rejects with `resource-exhausted` past the limit, else as the stream does. */
export async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number = maxAnswerBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new KubeApiError(`the answer is larger than ${maxBytes} bytes`, {
        code: 'resource-exhausted',
        httpStatus: 0,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
