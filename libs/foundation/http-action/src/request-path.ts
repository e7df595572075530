/**
 * The request target for the path of an action. The path may have a query. Its fragment, scheme and host are dropped,
 * and characters that a request line must not contain are escaped. A path that Go cannot parse is escaped as a whole.
 * Source: kubernetes v1.36 pkg/probe/http/request.go formatURL, Go net/url EscapedPath.
 */
export function requestPath(path: string): string {
  const target = goParses(path) ? encoded(withoutPlace(path)) : escaped(bytesOf(path));
  return target.startsWith('/') ? target : `/${target}`;
}

function goParses(path: string): boolean {
  if (/[\u0000-\u001f\u007f]/.test(path)) return false;
  return !/%(?![0-9a-f]{2})/i.test(path.split('?', 1)[0] ?? '');
}

function withoutPlace(path: string): string {
  const relative = path.replace(/^(?:[a-z][a-z0-9+.-]*:\/\/|\/\/(?!\/))[^/?#]*/i, '');
  return relative.split('#', 1)[0] ?? '';
}

/** Keeps a valid path unchanged; unescapes any other path and escapes it again, as Go does. */
function encoded(target: string): string {
  const { path = '', query = '' } = /^(?<path>[^?]*)(?<query>.*)$/s.exec(target)?.groups ?? {};
  const asWritten = /^(?:[!$&'()*+,\-./0-9:;=@A-Z_a-z~[\]]|%[0-9a-f]{2})*$/i.test(path);
  const kept = query.replace(/[^!$%&'()*+,\-./0-9:;=?@A-Z_a-z~[\]]+/gu, (text) =>
    encodeURIComponent(Buffer.from(text).toString()),
  );
  return `${asWritten ? path : escaped(unescaped(path))}${kept}`;
}

/** The UTF-8 bytes of a text, as one character each. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function unescaped(path: string): string {
  return bytesOf(path).replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function escaped(bytes: string): string {
  return bytes.replace(/[^$&+,\-./0-9:;=@A-Z_a-z~]/g, (byte) => {
    const hex = byte.charCodeAt(0).toString(16).toUpperCase();
    return `%${hex.padStart(2, '0')}`;
  });
}
