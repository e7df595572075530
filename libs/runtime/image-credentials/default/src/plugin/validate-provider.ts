import { qualifiedName } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { parseRegistryUrl } from '../registry/registry-url.js';
import type { ProviderInFile } from './decode-provider-file.js';
import { protocolVersions } from './provider-config.js';

const cacheTypes = ['ServiceAccount', 'Token'];
const tokenGate = 'KubeletServiceAccountTokenForCredentialProviders';

/**
 * Faults of one provider, with upstream's texts. `at` is its path in the file, such as `providers[0]`. Source:
 * kubernetes v1.36 pkg/credentialprovider/plugin/config.go validateCredentialProviderConfig.
 */
export function validateProvider(
  provider: ProviderInFile,
  at: string,
  { serviceAccountTokens }: { readonly serviceAccountTokens: boolean },
): readonly string[] {
  const errors = new FieldErrors();
  const { name = '', apiVersion = '', matchImages = [], defaultCacheDuration } = provider;
  validateName(name, `${at}.name`, errors);
  if (apiVersion === '') errors.required(`${at}.apiVersion`);
  else errors.oneOf(`${at}.apiVersion`, apiVersion, protocolVersions);
  if (matchImages.length === 0) errors.required(`${at}.matchImages`, 'at least 1 item in matchImages is required');
  for (const [index, image] of matchImages.entries()) {
    const url = parseRegistryUrl(image);
    if ('fault' in url) errors.invalid(`${at}.matchImages[${index}]`, image, `match image is invalid: ${url.fault}`);
  }
  if (defaultCacheDuration === undefined) errors.required(`${at}.defaultCacheDuration`);
  else if (defaultCacheDuration < 0) {
    const shown = `${defaultCacheDuration / 1000}s`;
    errors.invalid(`${at}.defaultCacheDuration`, shown, 'must be greater than or equal to 0');
  }
  if (provider.tokenAttributes !== undefined) {
    const place = `${at}.tokenAttributes`;
    if (!serviceAccountTokens) {
      errors.forbidden(place, `tokenAttributes is not supported when ${tokenGate} feature gate is disabled`);
    }
    const [v1] = protocolVersions;
    if (apiVersion !== v1) errors.forbidden(place, `tokenAttributes is only supported for ${v1} API version`);
    validateTokenAttributes(provider.tokenAttributes, place, errors);
  }
  return errors.list.map(({ message }) => message);
}

function validateName(name: string, field: string, errors: FieldErrors): void {
  if (name === '') errors.required(field);
  if (name.includes('/')) errors.invalid(field, name, "provider name cannot contain '/'");
  if (name.includes(' ')) errors.invalid(field, name, 'provider name cannot contain spaces');
  if (name === '.' || name === '..') errors.invalid(field, name, `provider name cannot be '${name}'`);
}

function validateTokenAttributes(
  attributes: NonNullable<ProviderInFile['tokenAttributes']>,
  at: string,
  errors: FieldErrors,
): void {
  const {
    serviceAccountTokenAudience = '',
    requireServiceAccount,
    cacheType = '',
    requiredServiceAccountAnnotationKeys: required = [],
    optionalServiceAccountAnnotationKeys: optional = [],
  } = attributes;
  if (serviceAccountTokenAudience === '') errors.required(`${at}.serviceAccountTokenAudience`);
  if (requireServiceAccount === undefined) errors.required(`${at}.requireServiceAccount`);
  if (requireServiceAccount === false && required.length > 0) {
    const detail = 'requireServiceAccount cannot be false when requiredServiceAccountAnnotationKeys is set';
    errors.forbidden(`${at}.requiredServiceAccountAnnotationKeys`, detail);
  }
  validateAnnotationKeys(required, `${at}.requiredServiceAccountAnnotationKeys`, errors);
  validateAnnotationKeys(optional, `${at}.optionalServiceAccountAnnotationKeys`, errors);
  const both = [...new Set(required)].filter((key) => optional.includes(key)).sort();
  if (both.length > 0) errors.invalid(at, both, 'annotation keys cannot be both required and optional');
  if (cacheType === '') {
    const detail = `cacheType is required to be set when tokenAttributes is specified. Supported values are: ${cacheTypes.join(', ')}`;
    errors.required(`${at}.cacheType`, detail);
  } else errors.oneOf(`${at}.cacheType`, cacheType, cacheTypes);
}

function validateAnnotationKeys(keys: readonly string[], field: string, errors: FieldErrors): void {
  for (const [index, key] of keys.entries()) {
    errors.rule(`${field}[${index}]`, key, qualifiedName(key.toLowerCase()));
    if (keys.indexOf(key) < index) errors.duplicate(`${field}[${index}]`, key);
  }
}
