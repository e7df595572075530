import { KubeletError } from '@podwright/errors';
import { parseImageReference } from '@podwright/kube-types';

/**
 * The image name for the runtime: adds `:latest` when there is neither tag nor digest, and changes nothing else.
 * @throws KubeletError `invalid-argument` with upstream's text. Source: kubernetes v1.36 pkg/util/parsers/parsers.go.
 */
export function withDefaultTag(image: string): string {
  const parsed = parseImageReference(image);
  if ('fault' in parsed) {
    const message = `couldn't parse image name ${JSON.stringify(image)}: ${parsed.fault}`;
    throw new KubeletError(message, { code: 'invalid-argument' });
  }
  const { tag, digest } = parsed;
  return digest === '' && !image.endsWith(`:${tag}`) ? `${image}:${tag}` : image;
}
