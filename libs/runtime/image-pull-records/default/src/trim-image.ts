import { KubeletError } from '@podwright/errors';
import { parseImageReference } from '@podwright/kube-types';

/**
 * The image name without tag and digest, otherwise unchanged: `busybox:1` gives `busybox`. @throws KubeletError
 * `invalid-argument`. Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/image_pull_policies.go
 * trimImageTagDigest.
 */
export function trimImage(image: string): string {
  const parsed = parseImageReference(image);
  if ('fault' in parsed) throw new KubeletError(parsed.fault, { code: 'invalid-argument' });
  const { tag, digest } = parsed;
  const withoutDigest = digest === '' ? image : image.slice(0, -(digest.length + 1));
  // A default tag is not part of the text.
  return tag !== '' && withoutDigest.endsWith(`:${tag}`) ? withoutDigest.slice(0, -(tag.length + 1)) : withoutDigest;
}
