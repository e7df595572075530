import { KubeletError } from '@podwright/errors';

/** Where a runtime serves one session. */
export interface StreamingUrl {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** Host and port as the runtime wrote them, for the header of a request that is our own. */
  readonly authority: string;
  /** Path and query as the runtime wrote them; never empty. */
  readonly target: string;
  /** The whole of it, for messages. */
  readonly text: string;
}

const shape = /^(?:(?:([a-z][a-z0-9+.-]*):)?\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?/i;

/**
 * Reads the URL of a CRI answer; one without a scheme means http. Path and query keep the runtime's spelling, because they
 * carry its one-time token. Throws `internal`. Source: kubernetes v1.36 apimachinery/pkg/util/proxy/upgradeaware.go, dial.go.
 */
export function parseStreamingUrl(text: string): StreamingUrl {
  const [, scheme = 'http', authority = '', path = '', query = ''] = shape.exec(text) ?? [];
  // What is no plain text would end up in a request line.
  if (/[^\x21-\x7e]/.test(text) || authority === '') throw failure(`invalid streaming URL ${JSON.stringify(text)}`);
  const secure = scheme.toLowerCase() === 'https';
  if (!secure && scheme.toLowerCase() !== 'http') throw failure(`error dialing backend: unknown scheme: ${scheme}`);
  const parsed = parseAuthority(authority, text);
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

function parseAuthority(authority: string, text: string): URL {
  try {
    return new URL(`http://${authority}`);
  } catch (cause) {
    throw new KubeletError(`invalid streaming URL ${JSON.stringify(text)}`, { code: 'internal', cause });
  }
}

const failure = (message: string): KubeletError => new KubeletError(message, { code: 'internal' });
