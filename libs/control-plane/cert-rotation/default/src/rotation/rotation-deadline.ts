import { jitter, type Random } from '@podwright/time';

/**
 * When to request the next certificate, in milliseconds since 1970: at a random 70 to 90 % of the lifetime, so that
 * nodes created together do not request together. Source: kubernetes v1.36
 * client-go/util/certificate/certificate_manager.go nextRotationDeadline.
 */
export function rotationDeadline(
  { notBeforeMs, notAfterMs }: { readonly notBeforeMs: number; readonly notAfterMs: number },
  random: Random,
): number {
  const totalMs = notAfterMs - notBeforeMs;
  return notBeforeMs + jitter(random, totalMs, 0.2) - totalMs * 0.3;
}
