import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
 * Puts the content in place at once, mode 0644. An equal file stays the same file, so that running containers, which
 * have it mounted, and the new one go on sharing it.
 */
export async function writeHostsFile(path: string, content: string): Promise<void> {
  if ((await currentContent(path)) === content) return;
  const temporary = `${path}.tmp`;
  try {
    // Left behind by a crash, it may be anything; a container cannot reach it, but its mode would stay.
    await rm(temporary, { force: true });
    await writeFile(temporary, content, { flag: 'wx' });
    await chmod(temporary, 0o644); // whatever the umask is
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function currentContent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
