export type { ApiObject, Stored } from './api-object.js';
export { qualified } from './group-resource.js';
export type { GroupResource } from './group-resource.js';
export { generateName, randomSuffix } from './names/generate-name.js';
export { newUid } from './names/new-uid.js';
export { deletionOptions } from './options/delete-options.js';
export type { DeletionOptions } from './options/delete-options.js';
export { listParameters } from './options/list-options.js';
export type { ListParameters } from './options/list-options.js';
export { isTrue } from './options/query-values.js';
export { decodeJson, decodeObject, maxBodyBytes, tooLarge } from './options/request-body.js';
export { applyPatch } from './patch/apply-patch.js';
export { listMerge } from './patch/merge-keys.js';
export type { ListMerge } from './patch/merge-keys.js';
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.js';
export { formOf, includeOf, inForm } from './printing/form.js';
export type { Form, FormOptions } from './printing/form.js';
export { kubeletPath } from './proxy/kubelet-path.js';
export type { StreamedSubresource } from './proxy/kubelet-path.js';
export { selectableField } from './selectors/selectable-fields.js';
export { fieldPredicate, parseFieldSelector, selectedName } from './selectors/field-selector.js';
export type { FieldRequirement } from './selectors/field-selector.js';
export { parseLabelSelector } from './selectors/label-selector-text.js';
export type { LabelPredicate } from './selectors/label-selector-text.js';
export {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  expired,
  forbidden,
  internalError,
  invalid,
  methodNotAllowed,
  modifiedMeanwhile,
  noSuchResource,
  notFound,
  unauthorized,
} from './status/api-error.js';
export type { StatusCause, StatusDetails } from './status/api-error.js';
