import { KubeletError, messageOf } from '@podwright/errors';
import { parseImageReference, type Secret } from '@podwright/kube-types';
import { dockerConfigOf, type RegistryCredentials } from './docker-config.js';
import { DockerKeyring } from './docker-keyring.js';

/**
 * Credentials of pull secrets that may be for the image, in the order in which to try them; none for an image that needs
 * none. @throws KubeletError for a secret that is no docker configuration, which then is the reason of the container to wait,
 * as upstream has it.
 */
export function pullCredentials(image: string, secrets: readonly Secret[]): readonly RegistryCredentials[] {
  if (secrets.length === 0) return [];
  const parsed = parseImageReference(image);
  if ('fault' in parsed) return [];
  try {
    return new DockerKeyring(secrets.map(dockerConfigOf)).lookUp(parsed.repository);
  } catch (cause) {
    const { code } = KubeletError.from(cause);
    throw new KubeletError(messageOf(cause), { code, reason: messageOf(cause), cause });
  }
}
