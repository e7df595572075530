export type SysctlNamespace = 'ipc' | 'net';

const prefixes: readonly (readonly [string, SysctlNamespace])[] = [
  ['kernel.shm', 'ipc'],
  ['kernel.msg', 'ipc'],
  ['fs.mqueue.', 'ipc'],
  ['net.', 'net'],
];

/** Namespace of a sysctl or of all with a prefix; undefined when it belongs to the whole machine. */
export function sysctlNamespace(name: string): SysctlNamespace | undefined {
  if (name === 'kernel.sem') return 'ipc';
  return prefixes.find(([prefix]) => name.startsWith(prefix))?.[1];
}

/**
 * Converts `net/ipv4/conf/eth0.100/x` to `net.ipv4.conf.eth0/100.x`; the first separator shows which notation the name
 * has.
 * Source: kubernetes v1.36 component-helpers/node/util/sysctl ConvertSysctlVariableToDotsSeparator.
 */
export function dottedSysctl(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}
