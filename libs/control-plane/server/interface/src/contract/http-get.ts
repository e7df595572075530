import { request } from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** One request to `host:port`, on a connection of its own. The path is sent as it is. */
export function get(address: string, path: string, method = 'GET'): Promise<HttpAnswer> {
  const { hostname, port } = new URL(`http://${address}`);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname.replace(/^\[|\]$/g, ''), port, path, method, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
