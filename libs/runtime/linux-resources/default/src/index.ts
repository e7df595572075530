export { createLinuxResources, linuxResourcesModule } from './linux-resources.module.js';
export { linuxResourcesConfigSchema } from './linux-resources-config.js';
export type { LinuxResourcesConfig } from './linux-resources-config.js';
export { linuxResourcesNeeds, SettingsLinuxResources } from './settings-linux-resources.js';
export { createPodResizer, podResizerModule } from './resize/pod-resizer.module.js';
export { podResizerConfigSchema } from './resize/pod-resizer-config.js';
export { InPlacePodResizer, podResizerNeeds } from './resize/in-place-pod-resizer.js';
export type { PodResizerNeeds } from './resize/in-place-pod-resizer.js';
