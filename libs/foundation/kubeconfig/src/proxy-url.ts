/** The URL of a proxy, or the fault of its address as text. */
export type ProxyUrl = URL | string;

/** Parses the URL of a proxy. Its scheme must be `http`, `https`, `socks5` or `socks5h`. */
export function parseProxyUrl(text: string): ProxyUrl {
  if (!URL.canParse(text)) return 'not a URL';
  const url = new URL(text);
  const known = ['http:', 'https:', 'socks5:', 'socks5h:'];
  return known.includes(url.protocol)
    ? url
    : `unsupported scheme ${JSON.stringify(url.protocol.slice(0, -1))}, must be http, https, or socks5`;
}
