import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { KubeletProcess } from '../start/kubelet-process.js';

/** Reads JSON from the kubelet's API with the operator's credentials. Rejects for a status other than 200. */
export async function askApi<T>(kubelet: KubeletProcess, path: string, how?: CallOptions): Promise<T> {
  return JSON.parse(await askApiText(kubelet, path, how)) as T;
}

interface CallOptions {
  readonly method?: string;
  readonly anonymous?: boolean;
}

/** As {@link askApi}, for any text. */
export async function askApiText(
  { operator, url }: KubeletProcess,
  path: string,
  { method = 'GET', anonymous = false }: CallOptions = {},
): Promise<string> {
  const credentials = Promise.all([readFile(operator.certFile), readFile(operator.keyFile)]);
  const [cert, key] = anonymous ? [] : await credentials;
  return new Promise<string>((resolve, reject) => {
    const options = { method, cert, key, rejectUnauthorized: false, timeout: 10_000 };
    const call = request(`${url}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${path}: ${response.statusCode} ${text}`));
      });
    });
    call.on('timeout', () => call.destroy(new Error(`${path}: no answer within 10 s`)));
    call.on('error', reject);
    call.end();
  });
}
