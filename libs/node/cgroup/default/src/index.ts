import 'reflect-metadata'; // tsyringe refuses to load without it

export { KubeCgroupManager } from './kube-cgroup-manager.js';
export { createKubeCgroupManager } from './create-kube-cgroup-manager.js';
export { KUBE_CGROUP_CONFIG, kubeCgroupConfig } from './kube-cgroup-config.js';
export type { KubeCgroupConfig } from './kube-cgroup-config.js';
export { cgroupModule } from './kube-cgroup-manager.module.js';
export { CGROUP_FILES } from './cgroup-files.js';
export type { CgroupFiles } from './cgroup-files.js';
export type { KubeCgroupDeps } from './create-kube-cgroup-manager.js';
export { cgroupDriverModule } from './driver/cri-cgroup-driver.module.js';
export { CriCgroupDriver, createCriCgroupDriver } from './driver/cri-cgroup-driver.js';
export type { CriCgroupDriverDeps } from './driver/cri-cgroup-driver.js';
export { CRI_CGROUP_DRIVER_CONFIG, criCgroupDriverConfig } from './driver/cri-cgroup-driver-config.js';
export type { CriCgroupDriverConfig } from './driver/cri-cgroup-driver-config.js';
export { DbusSystemdUnits, systemdAddresses } from './systemd/dbus-systemd-units.js';
export type { DbusSystemdUnitsDeps, SystemdAddress } from './systemd/dbus-systemd-units.js';
export { SYSTEMD_UNITS } from './systemd/systemd-units.js';
export type { SystemdUnits, UnitProperty } from './systemd/systemd-units.js';
