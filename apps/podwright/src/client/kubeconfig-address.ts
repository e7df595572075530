import { readFile } from 'node:fs/promises';
import { messageOf } from '@podwright/errors';
import { parseServer, readKubeconfig, type FileOrData, type Kubeconfig } from '@podwright/kubeconfig';
import { CommandError } from '../command-error.js';
import type { ServerAddress } from './server-address.js';

/** The API server of a kubeconfig's current context, with its credentials. */
export async function kubeconfigAddress(file: string): Promise<{ address: ServerAddress; namespace: string }> {
  const kubeconfig = await readKubeconfig(file).catch((error: unknown) => {
    throw new CommandError(`--kubeconfig ${file}: ${messageOf(error)}`);
  });
  const { cluster, user, namespace } = kubeconfig;
  const server = parseServer(cluster.server);
  if (typeof server === 'string' || !server.secure || server.basePath !== '') {
    throw new CommandError(`--kubeconfig ${file}: the server must be https://HOST:PORT, not ${cluster.server}`);
  }
  const { host, port } = server;
  refuseOthers(file, kubeconfig);
  const [ca, cert, key, token] = await Promise.all([
    contentOf(cluster.certificateAuthority),
    contentOf(user.clientCertificate),
    contentOf(user.clientKey),
    user.tokenFile === undefined ? user.token : contentOf({ file: user.tokenFile }),
  ]);
  const tls = {
    ...{ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    ...(cluster.tlsServerName !== undefined && { servername: cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify === true && { rejectUnauthorized: false }),
  };
  return { address: { host, port, tls, ...(token !== undefined && { token: token.trim() }) }, namespace };
}

// Programs and proxies are kubectl's business; it can get the same page.
function refuseOthers(file: string, { cluster, user }: Kubeconfig): void {
  const unsupported = [
    ...(user.exec === undefined ? [] : ['user.exec']),
    ...(user.username === undefined ? [] : ['user.username']),
    ...(user.impersonate === undefined ? [] : ['user.as']),
    ...(cluster.proxyUrl === undefined ? [] : ['cluster.proxy-url']),
  ];
  if (unsupported.length === 0) return;
  throw new CommandError(
    `--kubeconfig ${file}: ${unsupported.join(', ')} cannot be used here; ask with kubectl instead: kubectl get --raw ` +
      "'/api/v1/nodes/NODE/proxy/explain/pods/NAMESPACE/NAME?output=text'",
  );
}

async function contentOf(source: FileOrData | undefined): Promise<string | undefined> {
  if (source === undefined) return undefined;
  if ('data' in source) return source.data;
  try {
    return await readFile(source.file, 'utf8');
  } catch (error) {
    throw new CommandError(`unable to read ${source.file}: ${messageOf(error)}`);
  }
}
