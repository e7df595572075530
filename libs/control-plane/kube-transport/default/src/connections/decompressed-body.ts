import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { KubeHttpResponse } from '@podwright/kube-client-interface';
import { streamBody } from './stream-body.js';

/** Decompresses a gzip body, which the API server sends for answers over 128 KiB. */
export function decompressed(response: KubeHttpResponse): KubeHttpResponse {
  const { 'content-encoding': encoding, 'content-length': _packed, ...headers } = response.headers;
  if (encoding?.toLowerCase() !== 'gzip') return response;
  let failure: Error | undefined;
  const gunzip = createGunzip();
  pipeline(response.body, gunzip, (error) => (failure ??= error ?? undefined));
  const broken = (): Error => failure ?? new Error('unexpected EOF');
  return { status: response.status, headers, body: streamBody(gunzip, broken, () => gunzip.destroy()) };
}
