import { decodePem, formatPem } from '@podwright/x509';
import type { Random } from '@podwright/time';

/**
 * All PEM blocks of the texts without duplicates, re-encoded as `CERTIFICATE` without headers, in random order so that
 * no pod relies on the order. Source: kubernetes v1.36 pkg/kubelet/clustertrustbundle normalizeTrustAnchors.
 */
export function normalizeAnchors(texts: readonly string[], random: Random): string {
  const anchors = new Map<string, Buffer>();
  for (const { der } of texts.flatMap(decodePem)) anchors.set(der.toString('base64'), der);
  const sorted = [...anchors].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, der]) => der);
  return shuffled(sorted, random)
    .map((der) => formatPem('CERTIFICATE', der))
    .join('');
}

function shuffled(values: Buffer[], random: Random): Buffer[] {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const at = Math.floor(random.next() * (last + 1));
    const value = values[at] as Buffer;
    values[at] = values[last] as Buffer;
    values[last] = value;
  }
  return values;
}
