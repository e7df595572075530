export {
  decodePod,
  decodePodList,
  decodePodManifest,
  maxManifestBytes,
  maxPodListBytes,
  namingSource,
} from './decode/pod-manifest.js';
export type { OnIgnored } from './decode/pod-manifest.js';
export { decodeConfigMap, decodeSecret } from './decode/data-object.js';
export { readDocument, readDocuments, readFirstDocument } from './decode/document-reader.js';
export type { FirstDocument } from './decode/yaml-reader.js';
export { decodeWithSchema } from './decode/schema-decoder.js';
export type { Decoded } from './decode/schema-decoder.js';
export { always, anything, list, map, object, pointer, scalar } from './decode/schema.js';
export type {
  AnySchema,
  Fields,
  ListSchema,
  MapSchema,
  ObjectSchema,
  ScalarReading,
  ScalarSchema,
  Schema,
  ZeroRule,
} from './decode/schema.js';
export {
  bool,
  float64,
  int32,
  int64,
  intOrString,
  quantities,
  quantity,
  string,
  strings,
  time,
  uint32,
} from './decode/scalars.js';
export { manifestSchemas } from './decode/schemas/manifest-schemas.js';
export { childPath, describeValue, formatFault, isSourceObject } from './decode/source-value.js';
export type { DecodeFault, SourceDocument, SourceObject, SourceValue } from './decode/source-value.js';
export { defaultPod, defaultTerminationGracePeriodSeconds } from './default/pod-defaults.js';

export { validateConfigMap, validateDataUpdate, validateSecret } from './validate/data-object.js';
export type { FieldError, FieldErrorType } from './validate/field-errors.js';
export { FieldErrors } from './validate/field-errors.js';
export { assertValidPod, validatePodCreate } from './validate/pod.js';
export { defaultPodRules } from './validate/pod-rules.js';
export type { PodRules } from './validate/pod-rules.js';
