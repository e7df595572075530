import { KubeletError } from '@podwright/errors';

// Codes and messages as observed in containerd 2.1.

export const notFound = (what: string): KubeletError => new KubeletError(`${what}: not found`, { code: 'not-found' });
export const unknown = (message: string): KubeletError => new KubeletError(message, { code: 'unknown' });
export const unavailable = (message: string): KubeletError => new KubeletError(message, { code: 'unavailable' });
