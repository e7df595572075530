import type { Random } from '@podwright/time';

const block = /-----BEGIN ([^\n]*?)-----[ \t]*\r?\n([\s\S]*?)-----END \1-----[ \t]*(?:\r?\n|$)/g;
const lineLength = 64;

/**
 * All PEM blocks of the texts without duplicates, re-encoded as `CERTIFICATE` without headers, in random order so that
 * no pod relies on the order. Source: kubernetes v1.36 pkg/kubelet/clustertrustbundle normalizeTrustAnchors.
 */
export function normalizeAnchors(texts: readonly string[], random: Random): string {
  const anchors = new Set<string>();
  for (const text of texts) for (const [, , body = ''] of text.matchAll(block)) addAnchor(anchors, body);
  return shuffled([...anchors].sort(), random)
    .map(encode)
    .join('');
}

// Invalid base64 is no block: as Go's pem.Decode, continue after it.
function addAnchor(anchors: Set<string>, body: string): void {
  const base64 = withoutHeaders(body).replaceAll(/\s/g, '');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') === base64 && bytes.length > 0) anchors.add(base64);
}

function withoutHeaders(body: string): string {
  const end = body.search(/\r?\n\r?\n/);
  return end >= 0 && body.slice(0, end).includes(':') ? body.slice(end) : body;
}

function shuffled(values: string[], random: Random): string[] {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const at = Math.floor(random.next() * (last + 1));
    const value = values[at] as string;
    values[at] = values[last] as string;
    values[last] = value;
  }
  return values;
}

function encode(base64: string): string {
  const lines = base64.match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
