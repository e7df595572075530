export { loadSeLinux } from './load-selinux.js';
export type { SeLinuxSources } from './load-selinux.js';
export { noSeLinux } from './selinux.js';
export type { SeLinux, SeLinuxLabels, SeLinuxOptions } from './selinux.js';
export { seLinuxContextOf, seLinuxMountOption, supportsSeLinuxLabels } from './mount-labels.js';
