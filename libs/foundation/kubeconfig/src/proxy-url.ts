/** A proxy to go through, or what is wrong with its address. */
export type ProxyUrl = URL | string;

/** `http`, `https` and `socks5` are known, as upstream says. */
export function parseProxyUrl(text: string): ProxyUrl {
  if (!URL.canParse(text)) return 'not a URL';
  const url = new URL(text);
  const known = ['http:', 'https:', 'socks5:', 'socks5h:'];
  return known.includes(url.protocol)
    ? url
    : `unsupported scheme ${JSON.stringify(url.protocol.slice(0, -1))}, must be http, https, or socks5`;
}
