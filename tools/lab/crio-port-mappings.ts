/**
 * Input for `iptables-restore --noflush` that removes the port mappings of CRI-O to addresses that begin so, given the
 * output of `iptables-save -t nat`; undefined when there are none. CRI-O keeps them itself, and one that is killed
 * leaves them. Source: CRI-O 1.36 internal/hostport/hostport_manager_iptables.go.
 */
export function withoutCrioPortMappings(saved: string, addresses: string): string | undefined {
  const rules = saved.split('\n').filter((line) => line.startsWith('-A '));
  const chains = rules.flatMap((rule) => {
    const [, name, address = ''] = /^-A KUBE-HP-(\S+) .*--to-destination (\S+)/.exec(rule) ?? [];
    return name !== undefined && address.startsWith(addresses) ? [`KUBE-HP-${name}`, `CRIO-MASQ-${name}`] : [];
  });
  const known = chains.filter((chain) => saved.includes(`:${chain} `));
  if (known.length === 0) return undefined;
  const jumps = rules.filter((rule) => known.some((chain) => rule.endsWith(` -j ${chain}`)));
  const lines = [
    ...jumps.map((rule) => rule.replace(/^-A/, '-D')),
    ...known.flatMap((chain) => [`-F ${chain}`, `-X ${chain}`]),
  ];
  return ['*nat', ...lines, 'COMMIT', ''].join('\n');
}
