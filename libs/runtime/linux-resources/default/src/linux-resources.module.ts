import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { LINUX_RESOURCES } from '@podwright/container-runtime-interface';
import { linuxResourcesConfigSchema } from './linux-resources-config.js';
import { linuxResourcesNeeds, SettingsLinuxResources } from './settings-linux-resources.js';

export const linuxResourcesModule = defineModule({
  name: '@podwright/linux-resources',
  provides: [LINUX_RESOURCES],
  needs: linuxResourcesNeeds,
  config: linuxResourcesConfigSchema,
  create: (deps, config) => new SettingsLinuxResources(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for a wrong option. */
export const createLinuxResources = factoryOf(linuxResourcesModule);
