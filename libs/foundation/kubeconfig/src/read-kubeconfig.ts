import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { decodeWithSchema, formatFault, readDocument } from '@podwright/pod-manifest';
import { checkCluster } from './check-cluster.js';
import { checkUser } from './check-user.js';
import type { FileOrData, Kubeconfig, KubeconfigCluster, KubeconfigExec, KubeconfigUser } from './kubeconfig.js';
import type { ClusterFields, ExecFields, KubeconfigFields, UserFields } from './kubeconfig-schema.js';
import { kubeconfigSchema } from './kubeconfig-schema.js';

/**
 * Reads the current context of a kubeconfig file. Does not read the certificate and token files that it names; they may
 * appear later. Rejects with `not-found` when the file is missing, else with `invalid-argument` that names file, field
 * and value.
 */
export async function readKubeconfig(file: string): Promise<Kubeconfig> {
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (cause) {
    const missing = isMissing(cause);
    const text = missing ? 'no such file or directory' : messageOf(cause);
    throw new KubeletError(`kubeconfig ${file}: ${text}`, { code: missing ? 'not-found' : 'invalid-argument', cause });
  }
  return parseKubeconfig(content, file);
}

/**
 * As {@link readKubeconfig}, from YAML or JSON. Resolves relative paths from the folder of `file`. Throws
 * `invalid-argument`.
 */
export function parseKubeconfig(content: Uint8Array | string, file: string): Kubeconfig {
  const fields = decode(content, file);
  const contextName = fields['current-context'] ?? '';
  const fail = (faults: readonly string[]): never => {
    throw new KubeletError(`kubeconfig ${file}: invalid configuration: ${faults.join(', ')}`, {
      code: 'invalid-argument',
    });
  };
  if (contextName === '') return fail(['no context chosen: current-context is empty']);
  // The first of several entries with the same name counts.
  const context = fields.contexts?.find(({ name }) => name === contextName)?.context;
  if (context === undefined) {
    return fail([`context was not found for specified context: ${contextName}`]);
  }
  const { cluster: clusterName = '', user: userName = '', namespace = 'default' } = context;
  const cluster = fields.clusters?.find(({ name }) => name === clusterName)?.cluster;
  const user = fields.users?.find(({ name }) => name === userName)?.user;
  if (cluster === undefined) {
    return fail([
      clusterName === ''
        ? `cluster was not specified for context ${JSON.stringify(contextName)}`
        : `cluster ${JSON.stringify(clusterName)} was not found for context ${JSON.stringify(contextName)}`,
    ]);
  }
  const faults = [...checkCluster(clusterName, cluster), ...checkUser(userName, user ?? {})];
  if (faults.length > 0) return fail(faults);
  const folder = path.dirname(path.resolve(file));
  return {
    file,
    contextName,
    clusterName,
    userName,
    namespace,
    cluster: clusterOf(cluster, folder),
    user: userOf(user ?? {}, folder),
  };
}

function decode(content: Uint8Array | string, file: string): KubeconfigFields {
  const invalid = (text: string, cause?: unknown): KubeletError =>
    new KubeletError(`kubeconfig ${file}: ${text}`, { code: 'invalid-argument', cause });
  try {
    const document = readDocument(content);
    const { value, faults } = decodeWithSchema(kubeconfigSchema, document.value);
    // Like clientcmd, ignores unknown fields: other tools store theirs in the same file.
    const hard = [...document.faults, ...faults].filter(({ kind }) => kind !== 'unknown-field');
    if (hard.length > 0) throw invalid(hard.map(formatFault).join('; '));
    const fields = value as KubeconfigFields;
    if ((fields.kind ?? 'Config') !== 'Config' || (fields.apiVersion ?? 'v1') !== 'v1') {
      throw invalid(`apiVersion v1 and kind Config are expected, got ${fields.apiVersion ?? ''} ${fields.kind ?? ''}`);
    }
    return fields;
  } catch (error) {
    if (messageOf(error).startsWith('kubeconfig ')) throw error;
    throw invalid(messageOf(error), error);
  }
}

function clusterOf(fields: ClusterFields, folder: string): KubeconfigCluster {
  const authority = fileOrData(fields['certificate-authority'], fields['certificate-authority-data'], folder);
  const extension = fields.extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension;
  return {
    server: fields.server ?? '',
    ...(fields['tls-server-name'] !== undefined && { tlsServerName: fields['tls-server-name'] }),
    ...(fields['insecure-skip-tls-verify'] === true && { insecureSkipTlsVerify: true }),
    ...(authority !== undefined && { certificateAuthority: authority }),
    ...(fields['proxy-url'] !== undefined && { proxyUrl: fields['proxy-url'] }),
    ...(fields['disable-compression'] === true && { disableCompression: true }),
    ...(extension !== undefined && { execExtension: extension }),
  };
}

function userOf(fields: UserFields, folder: string): KubeconfigUser {
  const clientCertificate = fileOrData(fields['client-certificate'], fields['client-certificate-data'], folder);
  const clientKey = fileOrData(fields['client-key'], fields['client-key-data'], folder);
  return {
    ...(clientCertificate !== undefined && { clientCertificate }),
    ...(clientCertificate !== undefined && clientKey !== undefined && { clientKey }),
    ...(fields.token !== undefined && { token: fields.token }),
    ...(fields.tokenFile !== undefined && { tokenFile: path.resolve(folder, fields.tokenFile) }),
    ...(fields.username !== undefined && { username: fields.username }),
    ...(fields.password !== undefined && { password: fields.password }),
    ...(fields.exec !== undefined && { exec: execOf(fields.exec, folder) }),
    ...(fields.as !== undefined && {
      impersonate: {
        userName: fields.as,
        ...(fields['as-uid'] !== undefined && { uid: fields['as-uid'] }),
        ...(fields['as-groups'] !== undefined && { groups: fields['as-groups'] }),
        ...(fields['as-user-extra'] !== undefined && { extra: fields['as-user-extra'] }),
      },
    }),
  };
}

/** Makes the plugin of checked fields: checkUser has validated version, command and mode. */
function execOf(fields: ExecFields, folder: string): KubeconfigExec {
  const command = fields.command ?? '';
  return {
    apiVersion: fields.apiVersion as KubeconfigExec['apiVersion'],
    // A name without a slash is found in PATH.
    command: command.includes('/') ? path.resolve(folder, command) : command,
    args: fields.args ?? [],
    env: (fields.env ?? []).map(({ name = '', value = '' }) => ({ name, value })),
    installHint: fields.installHint ?? '',
    provideClusterInfo: fields.provideClusterInfo ?? false,
    interactiveMode: (fields.interactiveMode ?? 'IfAvailable') as KubeconfigExec['interactiveMode'],
  };
}

function fileOrData(file: string | undefined, data: string | undefined, folder: string): FileOrData | undefined {
  if (data !== undefined) return { data };
  return file === undefined ? undefined : { file: path.resolve(folder, file) };
}
