import { isIP } from 'node:net';

/** Where a server listens. */
export interface ServerAddress {
  readonly secure: boolean;
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Goes in front of each path; without a slash at its end, empty for none. */
  readonly basePath: string;
  /** As it is shown: `https://10.0.0.1:6443`. */
  readonly url: string;
}

/**
 * Reads `server` of a cluster: a URL, or a bare `host:port`, which means plain HTTP as in client-go. Gives the fault as text.
 * Source: kubernetes v1.36 client-go/rest/url_utils.go.
 */
export function parseServer(server: string): ServerAddress | string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`;
  if (!URL.canParse(text)) return `host must be a URL or a host:port pair: ${JSON.stringify(server)}`;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `scheme ${JSON.stringify(url.protocol.slice(0, -1))} is not supported, must be https or http: ${JSON.stringify(server)}`;
  }
  const bare = text !== server;
  if (bare && url.pathname !== '/') return `host must be a URL or a host:port pair: ${JSON.stringify(server)}`;
  if (url.username !== '' || url.password !== '') {
    return 'a name or password in the URL is not supported; put them into the user of the kubeconfig';
  }
  const secure = url.protocol === 'https:';
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const basePath = url.pathname.replace(/\/+$/, '');
  const shownHost = isIP(host) === 6 ? `[${host}]` : host;
  return {
    secure,
    host,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    basePath,
    url: `${url.protocol}//${shownHost}${url.port === '' ? '' : `:${url.port}`}${basePath}`,
  };
}
