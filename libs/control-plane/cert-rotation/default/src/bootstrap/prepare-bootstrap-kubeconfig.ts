import { removeLeftovers } from '@podwright/checkpoint';
import { KubeletError, messageOf } from '@podwright/errors';
import type { KubeClientFactory } from '@podwright/kube-client-interface';
import { checkKubeconfig, readKubeconfig, writeKubeconfig, type Kubeconfig } from '@podwright/kubeconfig';
import { clientFilePrefix } from '../client/client-certificate-manager.js';
import { FileCertificateStore } from '../store/file-certificate-store.js';
import { awaitServer, firstCertificate, type FirstCertificateDeps } from './first-certificate.js';
import { PendingKey } from './pending-key.js';

export interface BootstrapOptions {
  /** Flag `--kubeconfig`: used if it is valid, otherwise written. */
  readonly kubeconfig: string;
  /** Flag `--bootstrap-kubeconfig`; empty: do nothing. */
  readonly bootstrapKubeconfig: string;
  /** Absolute path. */
  readonly certDir: string;
  readonly nodeName: string;
  /** true: the certificate is requested later, in the background. false: wait for it. */
  readonly rotateCertificates: boolean;
}

export interface BootstrapDeps extends FirstCertificateDeps {
  readonly clients: KubeClientFactory;
}

/**
 * Ensures that there is a kubeconfig to start with. Call it before the assembly. Rejects when the bootstrap kubeconfig
 * is unusable and, without rotation, when no certificate is issued. Source: kubernetes v1.36
 * pkg/kubelet/certificate/bootstrap/bootstrap.go LoadClientConfig, LoadClientCert.
 */
export async function prepareBootstrapKubeconfig(
  deps: BootstrapDeps,
  options: BootstrapOptions,
  signal: AbortSignal,
): Promise<void> {
  const { kubeconfig, bootstrapKubeconfig, certDir, rotateCertificates } = options;
  if (bootstrapKubeconfig === '') return;
  const { clock, logger } = deps;
  await removeLeftovers([kubeconfig, new PendingKey(certDir).file], logger);
  // Before the check, because the kubeconfig may be invalid only due to an interrupted switch.
  const store = new FileCertificateStore(clock, logger, { prefix: clientFilePrefix, directory: certDir });
  await store.recover();
  const check = await checkKubeconfig(kubeconfig, clock.now());
  if (check.usable) {
    logger.debug(2, 'Current kubeconfig file contents are still valid, no bootstrap necessary', { kubeconfig });
    return;
  }
  if (!check.missing)
    logger.warn('The kubeconfig cannot be used, asking for a new client certificate', { reason: check.reason });
  const bootstrap = await readBootstrap(bootstrapKubeconfig);
  if (!rotateCertificates) await obtainCertificate(deps, options, store, signal);
  else logger.info('Client rotation is on, will bootstrap in background');
  await writeKubeconfig(kubeconfig, {
    cluster: bootstrap.cluster,
    clientCertificateFile: store.currentPath,
    clientKeyFile: store.currentPath,
  });
}

async function readBootstrap(file: string): Promise<Kubeconfig> {
  try {
    return await readKubeconfig(file);
  } catch (error) {
    const { code } = KubeletError.from(error);
    throw new KubeletError(`unable to load bootstrap kubeconfig: ${messageOf(error)}`, { code, cause: error });
  }
}

async function obtainCertificate(
  deps: BootstrapDeps,
  { bootstrapKubeconfig, certDir, nodeName }: BootstrapOptions,
  store: FileCertificateStore,
  signal: AbortSignal,
): Promise<void> {
  deps.logger.debug(2, 'Using bootstrap kubeconfig to generate TLS client cert, key and kubeconfig file');
  const pendingKey = new PendingKey(certDir);
  // As upstream, reuse the key of an expired certificate.
  const privateKey = (await store.load())?.privateKey ?? (await pendingKey.load());
  const client = await deps.clients.fromKubeconfig(bootstrapKubeconfig);
  await client.start();
  try {
    await awaitServer(client, deps, signal);
    await store.save(await firstCertificate(client, privateKey, nodeName, deps, signal), privateKey);
  } finally {
    await client.stop();
  }
  await pendingKey.remove();
}
