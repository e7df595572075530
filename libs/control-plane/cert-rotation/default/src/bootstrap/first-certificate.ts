import { messageOf } from '@podwright/errors';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import { jitter, type Clock, type Random } from '@podwright/time';
import { createCertificateRequest, readPrivateKey } from '@podwright/x509';
import { clientSignerName, clientUsages } from '../client/client-certificate-manager.js';
import { awaitCertificate } from '../request/await-certificate.js';
import { nodeTemplate } from '../request/certificate-template.js';
import { submitRequest } from '../request/signing-request.js';
import { requestName } from './request-name.js';

export interface FirstCertificateDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

type BootstrapClient = Pick<KubeClient, 'create' | 'get' | 'inform' | 'getText'>;

const serverWaitMs = 60_000;
const serverAskMs = 2_000;
const answerTimeoutMs = 1_000;
const issueTimeoutMs = 3_600_000;
const sayPendingAfterMs = 60_000;

/** Resolves once the server answers, or after a minute: the request itself then reports what is wrong. */
export async function awaitServer(
  client: Pick<KubeClient, 'getText'>,
  { clock, random, logger }: FirstCertificateDeps,
  signal: AbortSignal,
): Promise<void> {
  const endMs = clock.monotonic() + serverWaitMs;
  let said = false;
  while (!signal.aborted && clock.monotonic() < endMs) {
    try {
      await client.getText('/healthz', { signal, timeoutMs: answerTimeoutMs });
      return;
    } catch (error) {
      if (!said) logger.info('Failed to connect to apiserver', { error });
      said = true;
    }
    await clock.sleep(jitter(random, serverAskMs, 0.2), signal);
  }
  logger.info('Error waiting for apiserver to come up', { error: 'timed out waiting to connect to apiserver' });
}

/**
 * Requests the node's client certificate and waits for it, up to an hour. Rejects as `submitRequest` and
 * `awaitCertificate`.
 * Source: kubernetes v1.36 pkg/kubelet/certificate/bootstrap/bootstrap.go requestNodeCertificate.
 */
export async function firstCertificate(
  client: BootstrapClient,
  privateKey: string,
  nodeName: string,
  deps: FirstCertificateDeps,
  signal: AbortSignal,
): Promise<string> {
  const { clock, logger } = deps;
  const { commonName, organizations } = nodeTemplate(nodeName);
  const isRsa = readPrivateKey(privateKey).asymmetricKeyType === 'rsa';
  const usages = [...clientUsages, ...(isRsa ? ['key encipherment'] : [])];
  const name = requestName(privateKey, commonName, organizations, usages);
  const request = createCertificateRequest({ subject: { commonName, organizations }, privateKey });
  const submitted = await submitRequest(client, { request, signerName: clientSignerName, usages, name }, deps, signal);
  logger.info('Waiting for client certificate to be issued', { csr: submitted.name });
  const deadline = clock.deadline(issueTimeoutMs, signal);
  const help = `kubectl certificate approve ${submitted.name}`;
  const reminder = clock.setTimer(sayPendingAfterMs, () =>
    logger.warn('A certificate signing request waits for approval', { csr: submitted.name, help }),
  );
  try {
    return await awaitCertificate(client, submitted, deadline.signal, () => undefined);
  } catch (error) {
    logger.error('The first client certificate was not issued', { csr: submitted.name, reason: messageOf(error) });
    throw error;
  } finally {
    reminder.cancel();
    deadline.dispose();
  }
}
