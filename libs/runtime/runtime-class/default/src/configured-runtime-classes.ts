import { decodeOptions } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import { inject, injectable } from 'tsyringe';
import {
  CONFIGURED_RUNTIME_CLASSES_CONFIG,
  configuredRuntimeClassesConfigSchema,
} from './configured-runtime-classes-config.js';
import type { ConfiguredRuntimeClassesConfig } from './configured-runtime-classes-config.js';

/** {@link RuntimeClasses} out of a table in the module's options, for nodes that no API server tells of classes. */
@injectable()
export class ConfiguredRuntimeClasses implements RuntimeClasses {
  private readonly handlers: ReadonlyMap<string, string>;

  constructor(@inject(CONFIGURED_RUNTIME_CLASSES_CONFIG) config: ConfiguredRuntimeClassesConfig) {
    this.handlers = new Map(Object.entries(config.classes));
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  handlerOf(runtimeClassName = ''): string {
    if (runtimeClassName === '') return '';
    const handler = this.handlers.get(runtimeClassName);
    if (handler !== undefined) return handler;
    // The text of the API server's answer, which upstream passes on.
    throw new KubeletError(`runtimeclass.node.k8s.io "${runtimeClassName}" not found`, { code: 'not-found' });
  }
}

/** Makes one without a container. Throws `invalid-argument` for options of the wrong kind. */
export function createConfiguredRuntimeClasses(
  options: Partial<ConfiguredRuntimeClassesConfig> = {},
): ConfiguredRuntimeClasses {
  const config = decodeOptions('runtime-class', configuredRuntimeClassesConfigSchema, options);
  return new ConfiguredRuntimeClasses(config);
}
