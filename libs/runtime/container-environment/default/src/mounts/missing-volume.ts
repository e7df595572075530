import { KubeletError } from '@podwright/errors';
import type { Container } from '@podwright/kube-types';

/** The volume is not there, or is a block device where a file system is needed, or the other way round. */
export function missingVolume(volume: string, verb: 'mount' | 'pass', { name }: Container): KubeletError {
  const message = `cannot find volume ${JSON.stringify(volume)} to ${verb} into container ${JSON.stringify(name)}`;
  return new KubeletError(message, { code: 'not-found' });
}
