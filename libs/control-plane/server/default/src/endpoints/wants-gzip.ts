/**
 * Whether a client wants a compressed answer: `gzip` must have a higher weight than `identity`, and `*` counts for
 * both.
 * Source: prometheus/client_golang promhttp, golang/gddo httputil (NegotiateContentEncoding).
 */
export function wantsGzip(acceptEncoding: string | string[] | undefined): boolean {
  const specs = [acceptEncoding ?? []]
    .flat()
    .flatMap((header) => header.split(',').flatMap((part) => spec(part) ?? []));
  let best = { offer: 'identity', weight: -1 };
  for (const offer of ['identity', 'gzip']) {
    for (const { name, weight } of specs) {
      if (weight > best.weight && (name === '*' || name === offer)) best = { offer, weight };
    }
  }
  return best.offer === 'gzip' && best.weight > 0;
}

function spec(part: string): { readonly name: string; readonly weight: number } | undefined {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  if (name === '') return undefined;
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { name, weight: quality === undefined ? 1 : Number(quality) || 0 };
}
