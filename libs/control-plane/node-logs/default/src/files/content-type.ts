const byExtension: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.xml': 'text/xml; charset=utf-8',
};

const signatures: readonly (readonly [prefix: string, type: string])[] = [
  ['\x1f\x8b\x08', 'application/x-gzip'],
  ['PK\x03\x04', 'application/zip'],
  ['%PDF-', 'application/pdf'],
  ['\xfe\xff', 'text/plain; charset=utf-16be'],
  ['\xff\xfe', 'text/plain; charset=utf-16le'],
];

/** Number of bytes that identify the type of a file. */
export const sniffedBytes = 512;

/**
 * The media type of a file, from its name or first bytes. Unlike Go, serves HTML and SVG as plain text, so that a
 * browser does not run what containers write to a log. Source: Go mime, net/http/sniff.go.
 */
export function contentType(name: string, beginning: Uint8Array): string {
  const known = byExtension[/\.[^.]*$/.exec(name)?.[0]?.toLowerCase() ?? ''];
  if (known !== undefined) return known;
  const text = Buffer.from(beginning).toString('latin1');
  const signature = signatures.find(([prefix]) => text.startsWith(prefix));
  if (signature !== undefined) return signature[1];
  return /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
