import type { CredentialsLost } from '@podwright/cert-rotation-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';

export interface CertificateWatchdogOptions {
  readonly exitAfterMs: number;
  readonly usable: () => boolean;
  readonly serverHealthy: () => boolean;
  /** Absent: only log it. */
  readonly lost: CredentialsLost | undefined;
}

const periodMs = 10_000;

/**
 * Ends the kubelet when it has had no usable client certificate for minutes although the server is reachable: the next
 * start uses the bootstrap credentials. Source: kubernetes v1.36 pkg/kubelet/certificate/transport.go addCertRotation.
 */
export async function watchCertificate(
  clock: Clock,
  logger: Logger,
  { exitAfterMs, usable, serverHealthy, lost }: CertificateWatchdogOptions,
  signal: AbortSignal,
): Promise<void> {
  let usableAt = clock.monotonic();
  let said = false;
  let ended = false;
  await clock.every(
    periodMs,
    () => {
      if (usable()) {
        usableAt = clock.monotonic();
        said = false;
        return;
      }
      if (ended || clock.monotonic() - usableAt <= exitAfterMs) return;
      if (serverHealthy()) {
        ended = true;
        const text = 'No valid client certificate is found and the server is responsive, exiting.';
        logger.error(text, { shutdownThresholdMs: exitAfterMs });
        lost?.(text);
      } else if (!said) {
        said = true;
        logger.error(
          'No valid client certificate is found but the server is not responsive. A restart may be necessary to retrieve new initial credentials.',
          { shutdownThresholdMs: exitAfterMs },
        );
      }
    },
    signal,
  );
}
