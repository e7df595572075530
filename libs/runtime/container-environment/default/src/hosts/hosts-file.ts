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

/** Hosts file of a host-network pod: that of the node, with the pod's aliases. */
export function nodeHostsFile(nodeContent: string, aliases: HostAliases): string {
  return `# Kubernetes-managed hosts file (host network).\n${nodeContent}${aliasLines(aliases)}`;
}

function aliasLines(aliases: HostAliases = []): string {
  if (aliases.length === 0) return '';
  const lines = aliases.map(({ ip, hostnames }) => [ip, ...(hostnames ?? [])].join('\t'));
  return `\n# Entries added by HostAliases.\n${lines.join('\n')}\n`;
}

/**
 * Writes the file, mode 0644. It stays the same file, which running containers of the pod have mounted, so that they see
 * the new content as well; an equal one is left alone. It is never empty in between.
 */
export async function writeHostsFile(path: string, content: string): Promise<void> {
  // Made by the kubelet in a directory that containers do not reach, only written by them: a link would be a surprise.
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o644);
  try {
    if ((await file.readFile('utf8')) !== content) {
      const { bytesWritten } = await file.write(content, 0);
      await file.truncate(bytesWritten);
    }
    await file.chmod(0o644); // whatever the umask is, and whatever a container did
  } finally {
    await file.close();
  }
}
