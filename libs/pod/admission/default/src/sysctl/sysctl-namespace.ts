/** The names are those of upstream's messages. */
export type SysctlNamespace = 'IPC' | 'Net';

// `kernel.shm` and `kernel.msg` stand for the patterns that begin so.
const ofIpc: ReadonlySet<string> = new Set([
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.shm',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.msg',
]);

/**
 * Namespace of a sysctl or of all with a prefix; undefined when it belongs to the whole machine. Source: kubernetes v1.36
 * component-helpers/node/util/sysctl/namespace.go.
 */
export function sysctlNamespace(name: string): SysctlNamespace | undefined {
  if (ofIpc.has(name) || name.startsWith('fs.mqueue.')) return 'IPC';
  return name.startsWith('net.') ? 'Net' : undefined;
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
