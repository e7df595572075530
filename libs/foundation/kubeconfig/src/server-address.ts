/** The address of a server. */
export interface ServerAddress {
  readonly secure: boolean;
  /** Host name or IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** The prefix of all request paths, without a slash at its end; may be empty. */
  readonly basePath: string;
  /** The address as a URL for messages: `https://10.0.0.1:6443`. */
  readonly url: string;
}

/**
 * Parses the `server` of a cluster: a URL, or `host:port`, which means plain HTTP as in client-go. Returns a fault as
 * text.
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
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    secure,
    host,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    basePath,
    url: `${url.protocol}//${shownHost}${url.port === '' ? '' : `:${url.port}`}${basePath}`,
  };
}
