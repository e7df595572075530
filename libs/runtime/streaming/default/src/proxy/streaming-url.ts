import { KubeletError } from '@podwright/errors';

/** The address at which a runtime serves one session. */
export interface StreamingUrl {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** Host and port for the `Host` header; without the port if it is the scheme's own. */
  readonly authority: string;
  /** Path and query as the runtime wrote them; never empty. */
  readonly target: string;
  /** The complete URL, for messages. */
  readonly text: string;
}

const shape = /^(?:(?:([a-z][a-z0-9+.-]*):)?\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?/i;

/**
 * Parses the URL of a CRI answer; without a scheme it is http. Path and query stay exactly as the runtime wrote them,
 * because they carry its one-time token. Throws `internal`. Source: kubernetes v1.36
 * apimachinery/pkg/util/proxy/upgradeaware.go, dial.go.
 */
export function parseStreamingUrl(text: string): StreamingUrl {
  const [, scheme = 'http', authority = '', path = '', query = ''] = shape.exec(text) ?? [];
  // Anything but printable ASCII would end up in a request line.
  if (/[^\x21-\x7e]/.test(text) || authority === '') throw failure(`invalid streaming URL ${JSON.stringify(text)}`);
  const secure = scheme.toLowerCase() === 'https';
  if (!secure && scheme.toLowerCase() !== 'http') throw failure(`error dialing backend: unknown scheme: ${scheme}`);
  const parsed = parseAuthority(secure ? 'https' : 'http', authority, text);
  const target = `${path === '' ? '/' : path}${query}`;
  return {
    secure,
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: parsed.port === '' ? (secure ? 443 : 80) : Number(parsed.port),
    authority: parsed.host,
    target,
    text: `${secure ? 'https' : 'http'}://${parsed.host}${target}`,
  };
}

function parseAuthority(scheme: string, authority: string, text: string): URL {
  try {
    return new URL(`${scheme}://${authority}`);
  } catch (cause) {
    throw new KubeletError(`invalid streaming URL ${JSON.stringify(text)}`, { code: 'internal', cause });
  }
}

const failure = (message: string): KubeletError => new KubeletError(message, { code: 'internal' });
