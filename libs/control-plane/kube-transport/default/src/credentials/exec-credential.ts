import { messageOf } from '@podwright/errors';
import type { Kubeconfig, KubeconfigExec } from '@podwright/kubeconfig';
import { parseRfc3339 } from '@podwright/time';
import { isKeyOf, readCertificate } from '@podwright/x509';
import type { KeyPair } from './client-certificate.js';

/** The output of a credential plugin. */
export interface ExecCredential {
  readonly token?: string;
  readonly pair?: KeyPair;
  /** Wall-clock milliseconds since 1970; absent: never expires. */
  readonly expiresAtMs?: number;
}

/** Value of KUBERNETES_EXEC_INFO: an ExecCredential without a status. */
export function execInfo(
  { cluster }: Kubeconfig,
  exec: KubeconfigExec,
  certificateAuthority: string | undefined,
): string {
  const info = {
    server: cluster.server,
    ...(cluster.tlsServerName !== undefined && { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify === true && { 'insecure-skip-tls-verify': true }),
    ...(certificateAuthority !== undefined && {
      'certificate-authority-data': Buffer.from(certificateAuthority, 'utf8').toString('base64'),
    }),
    ...(cluster.proxyUrl !== undefined && { 'proxy-url': cluster.proxyUrl }),
    ...(cluster.disableCompression === true && { 'disable-compression': true }),
    config: cluster.execExtension ?? null,
  };
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { ...(exec.provideClusterInfo && { cluster: info }), interactive: false },
  });
}

interface Status {
  readonly token?: unknown;
  readonly clientCertificateData?: unknown;
  readonly clientKeyData?: unknown;
  readonly expirationTimestamp?: unknown;
}

/** Parses the output. Throws upstream's text for anything but a usable ExecCredential. */
export function parseExecCredential(stdout: string, apiVersion: string): ExecCredential {
  const { kind, apiVersion: returned, status } = decode(stdout);
  if (kind !== 'ExecCredential')
    throw new Error(`decoding stdout: kind ExecCredential is expected, got ${String(kind)}`);
  if (returned !== apiVersion) {
    throw new Error(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${String(returned)}`,
    );
  }
  if (status === undefined || status === null) throw new Error("exec plugin didn't return a status field");
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status;
  const [text, certificate, key, until] = [token, clientCertificateData, clientKeyData, expirationTimestamp].map(
    (field) => (typeof field === 'string' ? field : ''),
  ) as [string, string, string, string];
  if (text === '' && certificate === '' && key === '') {
    throw new Error("exec plugin didn't return a token or cert/key pair");
  }
  if ((certificate === '') !== (key === '')) {
    throw new Error('exec plugin returned only certificate or key, not both');
  }
  const expiresAtMs = until === '' ? undefined : parseRfc3339(until);
  if (until !== '' && expiresAtMs === undefined)
    throw new Error(`decoding stdout: expirationTimestamp ${JSON.stringify(until)} is no time`);
  if (certificate !== '') checkPair(certificate, key);
  return {
    ...(text !== '' && { token: text }),
    ...(certificate !== '' && { pair: { certificate, key } }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  };
}

function checkPair(certificate: string, key: string): void {
  try {
    if (isKeyOf(readCertificate(certificate).publicKey, key)) return;
  } catch (error) {
    throw new Error(`failed parsing client key/certificate: ${messageOf(error)}`, { cause: error });
  }
  throw new Error('failed parsing client key/certificate: tls: private key does not match public key');
}

/** The output contains secrets, so no message quotes it. */
function decode(stdout: string): { kind?: unknown; apiVersion?: unknown; status?: Status | null } {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    throw new Error('decoding stdout: not JSON');
  }
  if (typeof value !== 'object' || value === null) throw new Error('decoding stdout: not an object');
  return value;
}
