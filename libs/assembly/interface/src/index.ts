export { createManyToken, createToken, takesMany, tokenId } from './token.js';
export type { ManyToken, RoleOf, Token } from './token.js';
export { needs, optional, pick } from './needs.js';
export type { NeedMap, Needs, OptionalNeed } from './needs.js';
export {
  contributedTokens,
  contribution,
  decoratedTokens,
  decoration,
  defineModule,
  neededTokens,
  providedTokens,
} from './module.js';
export type { AnyModule, Contribution, Decoration, Module, Provided, Provides } from './module.js';
export { factoryOf, shortName } from './factory-of.js';
export type { Factory } from './factory-of.js';
export { configure } from './configure.js';
export type { ConfiguredModule, OptionsOf } from './configure.js';
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
export type { ConfigField, ConfigFields, ConfigResult, ConfigSchema, FieldFault } from './config-schema.js';
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
