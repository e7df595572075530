import { KubeletError } from '@podwright/errors';

/** Upstream's error when there is no API server or the gate is off. */
export function unimplemented(): KubeletError {
  return new KubeletError('unimplemented', { code: 'failed-precondition' });
}

/** Upstream's error about a source of a pod that is not tracked. */
export function noCredentials(key: string): KubeletError {
  return new KubeletError(`no credentials yet for key=${key}`, { code: 'unavailable' });
}
