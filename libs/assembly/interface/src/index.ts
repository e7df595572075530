export { createToken, tokenId } from './token.js';
export type { Token } from './token.js';
export { defineModule } from './module.js';
export type { AnyModule, Module, ModuleContainer, ModuleRegistration, Resolver } from './module.js';
export type { Health, HealthReporter, Lifecycle } from './lifecycle.js';
export { provideValue } from './assembly.js';
export type { Assembler, Assembly, AssemblyOptions, ModuleHealth, TokenValue } from './assembly.js';
export { assemblyFaultKinds } from './assembly-report.js';
export type {
  AssemblyEdge,
  AssemblyFault,
  AssemblyFaultKind,
  AssemblyGraph,
  AssemblyNode,
  AssemblyReport,
} from './assembly-report.js';
export { decodeOptions } from './decode-options.js';
export { defineConfig } from './config-schema.js';
export type { ConfigField, ConfigResult, ConfigSchema, FieldFault } from './config-schema.js';
export {
  booleanField,
  durationMsField,
  enumField,
  integerField,
  listField,
  numberField,
  stringField,
  stringMapField,
} from './config-fields.js';
export { CLOCK, LOGGER, METRICS, RANDOM } from './foundation-tokens.js';
