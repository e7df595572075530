import { jitter, type Random } from '@podwright/time';

/**
 * When to ask for the next certificate: after 70 to 90 % of the lifetime, so that nodes that were made together do not ask
 * together. Milliseconds since 1970. Source: kubernetes v1.36 client-go/util/certificate/certificate_manager.go
 * nextRotationDeadline.
 */
export function rotationDeadline(
  { notBeforeMs, notAfterMs }: { readonly notBeforeMs: number; readonly notAfterMs: number },
  random: Random,
): number {
  const totalMs = notAfterMs - notBeforeMs;
  return notBeforeMs + jitter(random, totalMs, 0.2) - totalMs * 0.3;
}
