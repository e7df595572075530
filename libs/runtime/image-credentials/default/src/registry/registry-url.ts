/** The parts of a registry, or of a name in it, without a scheme: `*.example.com:5000/team`. */
export interface RegistryUrl {
  /** Host with port. */
  readonly host: string;
  readonly hostParts: readonly string[];
  /** Empty when there is none. */
  readonly port: string;
  /** Empty, or beginning with a slash. */
  readonly path: string;
}

const hostCharacters = /^[\w.~%!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}-]*$/u;

/**
 * Parses a URL without a scheme, as Go's url.Parse does for the same URL with one. Ignores a user and what follows `?`
 * or `#`. For a malformed URL, `fault` has Go's text.
 */
export function parseRegistryUrl(text: string): RegistryUrl | { readonly fault: string } {
  const fault = (why: string): { readonly fault: string } => ({ fault: `parse ${quote(`https://${text}`)}: ${why}` });
  if (/[\u0000-\u001f\u007f]/.test(text)) return fault('net/url: invalid control character in URL');
  const [address = ''] = text.split(/[?#]/, 1);
  const slash = address.indexOf('/');
  const authority = slash < 0 ? address : address.slice(0, slash);
  const path = decodePath(slash < 0 ? '' : address.slice(slash));
  if (path === undefined) return fault('invalid URL escape');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const [, port = ''] = /(:[^:\]]*)$/.exec(host) ?? [];
  if (!/^(:\d*)?$/.test(port)) return fault(`invalid port ${quote(port)} after host`);
  if (!hostCharacters.test(host)) {
    const wrong = [...host].find((character) => !hostCharacters.test(character)) ?? '';
    return fault(`invalid character ${quote(wrong)} in host name`);
  }
  const name = port === '' ? host : host.slice(0, -port.length);
  return { host, hostParts: name.replace(/^\[(.*)\]$/, '$1').split('.'), port: port.slice(1), path };
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined; // the caller reports the fault
  }
}

const quote = (text: string): string => JSON.stringify(text);
