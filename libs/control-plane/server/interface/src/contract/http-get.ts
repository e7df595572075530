import { request } from 'node:http';
import { request as requestTls } from 'node:https';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface GetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM. Absent: plain HTTP. The client does not check the name in the server's certificate. */
  readonly tls?: { readonly ca: string; readonly cert?: string; readonly key?: string };
}

/** Sends one request to `host:port`, on a connection of its own and with the path unchanged. */
export function get(
  address: string,
  path: string,
  method = 'GET',
  { headers = {}, tls }: GetOptions = {},
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(`http://${address}`);
  const options = { host: hostname.replace(/^\[|\]$/g, ''), port, path, method, headers, agent: false };
  return new Promise((resolve, reject) => {
    const secure = { ...options, ...tls, checkServerIdentity: () => undefined };
    const sent = tls === undefined ? request(options) : requestTls(secure);
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
