/**
 * Sysctl names, with the kernel version that made them per-namespace. Source: kubernetes v1.36
 * pkg/kubelet/sysctl/safe_sysctls.go.
 */
const safeSysctls: readonly (readonly [name: string, kernel?: readonly [major: number, minor: number]])[] = [
  ['kernel.shm_rmid_forced'],
  ['net.ipv4.ip_local_port_range'],
  ['net.ipv4.tcp_syncookies'],
  ['net.ipv4.ping_group_range'],
  ['net.ipv4.ip_unprivileged_port_start'],
  ['net.ipv4.ip_local_reserved_ports', [3, 16]],
  ['net.ipv4.tcp_keepalive_time', [4, 5]],
  ['net.ipv4.tcp_fin_timeout', [4, 6]],
  ['net.ipv4.tcp_keepalive_intvl', [4, 5]],
  ['net.ipv4.tcp_keepalive_probes', [4, 5]],
  ['net.ipv4.tcp_rmem', [4, 15]],
  ['net.ipv4.tcp_wmem', [4, 15]],
];

/** Sysctls that cannot harm other pods because this kernel (such as `6.1.0-13-amd64`) keeps them per namespace. */
export function safeSysctlsOf(kernelRelease: string): readonly string[] {
  const match = /^(\d+)\.(\d+)/.exec(kernelRelease);
  const [major, minor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  return safeSysctls
    .filter(([, since]) => since === undefined || major > since[0] || (major === since[0] && minor >= since[1]))
    .map(([name]) => name);
}
