import { machineShapes, networkConfiguration } from './cluster-shape.js';
import type { Machine } from './machine.js';
import { KUBELET_LOG } from '../guest-node.js';

const UNITS = '/usr/lib/systemd/system';
const DROP_INS = `${UNITS}/kubelet.service.d`;
const NETWORKS = '/etc/cni/net.d';

/** A script for Node, and a program of its own, such as upstream's kubelet, as what it is. */
const KUBELET = `#!/bin/sh
if [ "$(head -c 4 /podwright/kubelet | tail -c 3)" = ELF ]; then exec /podwright/kubelet "$@"; fi
exec /podwright/node /podwright/kubelet "$@"
`;

/** Makes a machine what an operator has before kubeadm: the packages installed, the images there, no network of pods. */
export async function prepareForKubeadm(machine: Machine, archives: readonly string[]): Promise<void> {
  const hosts = ['127.0.0.1 localhost', ...machineShapes.map(({ address, name }) => `${address} ${name}`)];
  await machine.write('/etc/hosts', `${hosts.join('\n')}\n`);
  await machine.run('modprobe', '-a', 'br_netfilter', 'xt_conntrack', 'nf_conntrack');
  await machine.run('find', NETWORKS, '-type', 'f', '-delete');
  await machine.write('/usr/bin/kubelet', KUBELET, '0755');
  for (const program of ['kubeadm', 'kubectl']) await machine.run('ln', '-sf', `/podwright/${program}`, '/usr/bin/');
  await machine.run('install', '-D', '-m', '0644', '/podwright/kubelet.service', `${UNITS}/kubelet.service`);
  await machine.run('install', '-D', '-m', '0644', '/podwright/10-kubeadm.conf', `${DROP_INS}/10-kubeadm.conf`);
  const log = `append:${KUBELET_LOG}`;
  await machine.write(`${DROP_INS}/20-log.conf`, `[Service]\nStandardOutput=${log}\nStandardError=${log}\n`);
  await machine.run('systemctl', 'daemon-reload');
  await machine.run('systemctl', 'enable', 'kubelet.service');
  for (const archive of archives) await machine.run('ctr', '-n', 'k8s.io', 'images', 'import', `/podwright/${archive}`);
}

/** What a network add-on would do: a bridge with the node's range, and the way to the ranges of others. */
export async function installNetwork(
  machine: Machine,
  podRange: string,
  others: readonly { readonly podRange: string; readonly address: string }[],
): Promise<void> {
  await machine.write(`${NETWORKS}/10-pods.conflist`, networkConfiguration(podRange));
  for (const other of others) await machine.run('ip', 'route', 'replace', other.podRange, 'via', other.address);
}

/** What a reset must not leave, as lines that name it; empty when nothing is left. */
export async function leftByKubeadm(machine: Machine): Promise<readonly string[]> {
  const finds: readonly (readonly [what: string, script: string])[] = [
    ['mount', "cut -d' ' -f2 /proc/mounts | grep '^/var/lib/kubelet/'"],
    ['file', 'find /var/lib/kubelet /etc/kubernetes/manifests /etc/kubernetes/pki -mindepth 1 2>/dev/null'],
    ['file', 'find /etc/kubernetes -name "*.conf"; find /var/lib/etcd -mindepth 1 2>/dev/null'],
    ['process', 'ps -eo comm=,args= | grep -E "kubelet|kube-|etcd|httpd|/pause" | grep -vE "grep|bash -c"'],
    ['container', 'ctr -n k8s.io containers list -q; ctr -n k8s.io tasks list -q'],
    ['process in', 'grep -rl "populated 1" /sys/fs/cgroup/kubepods.slice --include=cgroup.events 2>/dev/null'],
    ['network', 'ip -o link show type veth; find /run/netns /var/run/netns -mindepth 1 2>/dev/null'],
  ];
  const lines = await Promise.all(
    finds.map(async ([what, script]) => {
      const text = await machine.run('bash', '-c', `{ ${script}; } || true`);
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => `${what} ${line.trim()}`);
    }),
  );
  return lines.flat();
}
