import type { TrackedCredential } from '@podwright/image-credentials-interface';
import { pullCredentialsOf, type ImagePullCredentials } from './pulled-record.js';

/** No more secrets than this are added to a record only because they were seen; upstream's value. */
const mostSecrets = 100;

/** What a record says to a pod: no; yes; or yes, and the record should learn these credentials. */
export type Match = { readonly allowed: false } | { readonly allowed: true; readonly learn?: ImagePullCredentials };

/**
 * Compares the credentials of a pod with those that the image was pulled with before: a secret of the same content, the same
 * secret with another content (it was renewed), or the same service account. Source: kubernetes v1.36
 * pkg/kubelet/images/pullmanager/image_pull_manager.go MustAttemptImagePull.
 */
export function matchCredentials(known: ImagePullCredentials, offered: readonly TrackedCredential[]): Match {
  const { kubernetesSecrets: secrets = [], kubernetesServiceAccounts: accounts = [] } = known;
  const mayLearn = secrets.length < mostSecrets;
  for (const credential of offered) {
    const { source, hash } = credential;
    if (source.kind !== 'secret') continue;
    for (const secret of secrets) {
      const samePlace =
        secret.uid === source.uid && secret.namespace === source.namespace && secret.name === source.name;
      const sameContent = secret.credentialHash !== '' && secret.credentialHash === hash;
      if (sameContent && samePlace) return { allowed: true };
      if (sameContent || (samePlace && mayLearn)) {
        return { allowed: true, ...(mayLearn && { learn: pullCredentialsOf(credential) }) };
      }
    }
  }
  // A pod has one service account, whatever tokens of it were used.
  const source = offered.find((credential) => credential.source.kind === 'service-account')?.source;
  if (source?.kind !== 'service-account') return { allowed: false };
  const allowed = accounts.some(
    ({ uid, namespace, name }) => uid === source.uid && namespace === source.namespace && name === source.name,
  );
  return { allowed };
}
