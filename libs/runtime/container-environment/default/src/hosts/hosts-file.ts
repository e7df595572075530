import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Pod } from '@podwright/kube-types';
import type { PodHostname } from './pod-hostname.js';

type HostAliases = Pod['spec']['hostAliases'];

/** Hosts file of a pod with a network of its own. Byte for byte as upstream writes it: kubernetes v1.36 kubelet_pods.go. */
export function podHostsFile(
  podIps: readonly string[],
  { hostname, hostDomain }: PodHostname,
  aliases: HostAliases,
): string {
  const names = hostDomain === '' ? hostname : `${hostname}.${hostDomain}\t${hostname}`;
  const lines = [
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    ...podIps.map((ip) => `${ip}\t${names}`),
  ];
  return `${lines.join('\n')}\n${aliasLines(aliases)}`;
}

/** Hosts file of a host-network pod: the node's file followed by the pod's aliases. */
export function nodeHostsFile(nodeContent: string, aliases: HostAliases): string {
  return `# Kubernetes-managed hosts file (host network).\n${nodeContent}${aliasLines(aliases)}`;
}

function aliasLines(aliases: HostAliases = []): string {
  if (aliases.length === 0) return '';
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}`);
  return `\n# Entries added by HostAliases.\n${lines.join('\n')}\n`;
}

/**
 * Writes the file with mode 0644. Running containers of the pod have the file mounted, so it is rewritten in place and
 * they see the new content. Equal content is not written again, and the file is never empty in between.
 */
export async function writeHostsFile(path: string, content: string): Promise<void> {
  // The kubelet makes this file in a directory that containers cannot reach; they can only write the file. A link here
  // is an attack or a mistake.
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o644);
  try {
    const wanted = Buffer.from(content);
    // One byte more than wanted, which a longer file fills.
    const present = Buffer.allocUnsafe(wanted.length + 1);
    const { bytesRead } = await file.read(present, 0, present.length, 0);
    if (!present.subarray(0, bytesRead).equals(wanted)) {
      const { bytesWritten } = await file.write(wanted, 0, wanted.length, 0);
      if (bytesRead > bytesWritten) await file.truncate(bytesWritten);
    }
    await file.chmod(0o644); // whatever the umask is and whatever a container changed
  } finally {
    await file.close();
  }
}
