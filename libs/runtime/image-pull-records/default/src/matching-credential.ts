import type { TrackedCredential } from '@podwright/image-credentials-interface';
import { pullCredentialsOf, type ImagePullCredentials } from './pulled-record.js';

/** A record that has this many secrets learns no more from checks; upstream's value. */
const mostSecrets = 100;

/** Whether the pod may use the image, and the credentials that the record should learn from it. */
export type Match = { readonly allowed: false } | { readonly allowed: true; readonly learn?: ImagePullCredentials };

/**
 * Compares the pod's credentials with those that pulled the image before. A match is a secret with the same content,
 * the same secret with renewed content, or the same service account. Source: kubernetes v1.36
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
  // A pod has one service account; its tokens do not matter here.
  const source = offered.find((credential) => credential.source.kind === 'service-account')?.source;
  if (source?.kind !== 'service-account') return { allowed: false };
  const allowed = accounts.some(
    ({ uid, namespace, name }) => uid === source.uid && namespace === source.namespace && name === source.name,
  );
  return { allowed };
}
