import type { ChapSecret } from './chap-secret.js';
import type { IscsiSource } from './iscsi-disk.js';
import { iscsiFault, type Iscsiadm } from './iscsiadm.js';

const credentials = ['username', 'password', 'username_in', 'password_in'];

/** Where open-iscsi keeps the credentials, and how upstream's messages name the two steps. */
interface ChapRecord {
  readonly prefix: string;
  readonly method: string;
  readonly key: string;
}

const discoveryChap: ChapRecord = {
  prefix: 'discovery.sendtargets.auth',
  method: 'discoverydb with CHAP',
  key: 'discoverydb key',
};
const sessionChap: ChapRecord = { prefix: 'node.session.auth', method: 'node with CHAP', key: 'node session key' };

/**
 * Finds the target at one portal and logs in to it. Source: kubernetes v1.36 pkg/volume/iscsi/iscsi_util.go AttachDisk.
 */
export async function logIn(
  iscsiadm: Iscsiadm,
  portal: string,
  { source, secret }: { readonly source: IscsiSource; readonly secret: ChapSecret },
  signal: AbortSignal,
): Promise<void> {
  const { iqn, iface } = source;
  const run = (...args: readonly string[]): ReturnType<Iscsiadm> => iscsiadm(args, signal);
  const discovery = ['-m', 'discoverydb', '-t', 'sendtargets', '-p', portal, '-I', iface];
  const node = ['-m', 'node', '-p', portal, '-T', iqn, '-I', iface];

  await run(...discovery, '-o', 'new');
  if (source.chapDiscovery) {
    const fault = await setChap(run, discovery, discoveryChap, secret);
    if (fault !== undefined) {
      throw iscsiFault(`iscsi: failed to update discoverydb to portal ${portal} error: ${fault}`);
    }
  }
  const discovered = await run(...discovery, '--discover');
  if (discovered.problem !== undefined) {
    await run(...discovery, '-o', 'delete');
    const { output, problem } = discovered;
    throw iscsiFault(`iscsi: failed to sendtargets to portal ${portal} output: ${output}, err ${problem}`);
  }
  // Other LUNs of the target are none of this node's; old versions of open-iscsi do not know the setting.
  await run(...node, '-o', 'update', '-n', 'node.session.scan', '-v', 'manual');
  if (source.chapSession) {
    const fault = await setChap(run, node, sessionChap, secret);
    if (fault !== undefined) {
      throw iscsiFault(`iscsi: failed to update iscsi node to portal ${portal} error: ${fault}`);
    }
  }
  const { output, problem } = await run(...node, '--login');
  if (problem !== undefined) {
    await run(...node, '-o', 'delete');
    throw iscsiFault(`iscsi: failed to attach disk: Error: ${output} (${problem})`);
  }
  // The next boot must not wait for this target; a failure does no harm until then.
  await run('-m', 'node', '-p', portal, '-T', iqn, '-o', 'update', '-n', 'node.startup', '-v', 'manual');
}

/** Resolves with what failed. Never names a value: it is a password. */
async function setChap(
  run: (...args: readonly string[]) => ReturnType<Iscsiadm>,
  record: readonly string[],
  chap: ChapRecord,
  secret: ChapSecret,
): Promise<string | undefined> {
  const update = (key: string, value: string): ReturnType<Iscsiadm> =>
    run(...record, '-o', 'update', '-n', key, '-v', value);
  const method = await update(`${chap.prefix}.authmethod`, 'CHAP');
  if (method.problem !== undefined) return `iscsi: failed to update ${chap.method}, output: ${method.output}`;
  for (const key of credentials.map((name) => `${chap.prefix}.${name}`)) {
    const value = secret[key] ?? '';
    if (value === '') continue;
    const { output, problem } = await update(key, value);
    if (problem !== undefined) return `iscsi: failed to update ${chap.key} ${JSON.stringify(key)} error: ${output}`;
  }
  return undefined;
}
