/**
 * What stands in the request line for the path of an action. It may carry a query, even a scheme and a host, which count
 * for nothing; a fragment stays at home, and what must not stand in a request line is escaped. A path that Go cannot parse
 * is escaped as a whole. Source: kubernetes v1.36 pkg/probe/http/request.go formatURL, Go net/url EscapedPath.
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

/** A path that needs no escapes stays as it is written; one that needs any is unescaped and escaped anew, as Go does. */
function encoded(target: string): string {
  const { path = '', query = '' } = /^(?<path>[^?]*)(?<query>.*)$/s.exec(target)?.groups ?? {};
  const asWritten = /^(?:[!$&'()*+,\-./0-9:;=@A-Z_a-z~[\]]|%[0-9a-f]{2})*$/i.test(path);
  const kept = query.replace(/[^!$%&'()*+,\-./0-9:;=?@A-Z_a-z~[\]]+/gu, (text) =>
    encodeURIComponent(Buffer.from(text).toString()),
  );
  return `${asWritten ? path : escaped(unescaped(path))}${kept}`;
}

/** One character for each byte. */
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
