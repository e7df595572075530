import { KubeletError } from '@podwright/errors';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import type { ConfiguredRuntimeClassesConfig } from './configured-runtime-classes-config.js';

/** {@link RuntimeClasses} from a table in the module's options, for nodes without an API server. */
export class ConfiguredRuntimeClasses implements RuntimeClasses {
  private readonly handlers: ReadonlyMap<string, string>;

  constructor(config: ConfiguredRuntimeClassesConfig) {
    this.handlers = new Map(Object.entries(config.classes));
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  handlerOf(runtimeClassName = ''): string {
    if (runtimeClassName === '') return '';
    const handler = this.handlers.get(runtimeClassName);
    if (handler !== undefined) return handler;
    // Same text as the API server's answer, which upstream passes on.
    throw new KubeletError(`runtimeclass.node.k8s.io "${runtimeClassName}" not found`, { code: 'not-found' });
  }
}
