import type { LabelSelector, NodeSelectorTerm } from '@podwright/kube-types';
import { dns1123Subdomain, labelValue, qualifiedName } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateLabels } from './metadata.js';

export function validateLabelSelector(selector: LabelSelector | undefined, field: string, errors: FieldErrors): void {
  validateLabels(selector?.matchLabels, `${field}.matchLabels`, errors);
  (selector?.matchExpressions ?? []).forEach(({ key, operator, values = [] }, index) => {
    const place = `${field}.matchExpressions[${index}]`;
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        errors.required(`${place}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        errors.forbidden(`${place}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
    } else {
      errors.invalid(`${place}.operator`, operator, 'not a valid selector operator');
    }
    errors.rule(`${place}.key`, key, qualifiedName(key));
    values.forEach((value, at) => errors.rule(`${place}.values[${at}]`, value, labelValue(value)));
  });
}

/** `anyValue`: the values of expressions need not be values of labels. */
export function validateNodeSelectorTerm(
  term: NodeSelectorTerm,
  field: string,
  errors: FieldErrors,
  { anyValue = false } = {},
): void {
  (term.matchExpressions ?? []).forEach(({ key, operator, values = [] }, index) => {
    const place = `${field}.matchExpressions[${index}]`;
    switch (operator) {
      case 'In':
      case 'NotIn':
        if (values.length === 0)
          errors.required(`${place}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
        break;
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0) {
          errors.forbidden(`${place}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
        break;
      case 'Gt':
      case 'Lt':
        if (values.length !== 1) {
          errors.required(`${place}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        break;
      default:
        errors.invalid(`${place}.operator`, operator, 'not a valid selector operator');
    }
    errors.rule(`${place}.key`, key, qualifiedName(key));
    if (anyValue) return;
    values.forEach((value, at) => errors.rule(`${place}.values[${at}]`, value, labelValue(value)));
  });
  (term.matchFields ?? []).forEach(({ key, operator, values = [] }, index) => {
    const place = `${field}.matchFields[${index}]`;
    if (operator !== 'In' && operator !== 'NotIn') {
      errors.invalid(`${place}.operator`, operator, 'not a valid selector operator');
    } else if (values.length !== 1) {
      errors.required(
        `${place}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      );
    }
    if (key !== 'metadata.name') return errors.invalid(`${place}.key`, key, 'not a valid field selector key');
    return values.forEach((value, at) => errors.rule(`${place}.values[${at}]`, value, dns1123Subdomain(value)));
  });
}
