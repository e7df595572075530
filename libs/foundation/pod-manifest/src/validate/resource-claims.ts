import type { PodSpec } from '@podwright/kube-types';
import { dns1123Label, dns1123Subdomain } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

/** Validates `spec.resourceClaims`: each must name either a claim or a template for one. */
export function validateResourceClaims(spec: PodSpec, errors: FieldErrors): void {
  const names = new Set<string>();
  (spec.resourceClaims ?? []).forEach((claim, index) => {
    const field = `spec.resourceClaims[${index}]`;
    if (!claim.name) errors.required(`${field}.name`);
    else errors.rule(`${field}.name`, claim.name, dns1123Label(claim.name));
    if (claim.name && names.has(claim.name)) errors.duplicate(`${field}.name`, claim.name);
    names.add(claim.name);
    const { resourceClaimName, resourceClaimTemplateName } = claim;
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      errors.invalid(
        field,
        claim,
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      );
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      errors.invalid(field, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
    for (const name of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const value = claim[name];
      if (value !== undefined) errors.rule(`${field}.${name}`, value, dns1123Subdomain(value));
    }
  });
}
