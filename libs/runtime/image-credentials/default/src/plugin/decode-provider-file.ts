import { KubeletError, messageOf } from '@podwright/errors';
import {
  bool,
  decodeWithSchema,
  formatFault,
  isSourceObject,
  list,
  object,
  pointer,
  readDocument,
  scalar,
  string,
  type Fields,
  type SourceObject,
} from '@podwright/pod-manifest';
import { parseGoDuration } from '@podwright/time';

/** A provider as its file has it: types are checked, defaults are not set. */
export interface ProviderInFile {
  readonly name?: string;
  readonly matchImages?: readonly string[];
  /** Milliseconds. */
  readonly defaultCacheDuration?: number;
  readonly apiVersion?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name?: string; readonly value?: string }[];
  readonly tokenAttributes?: {
    readonly serviceAccountTokenAudience?: string;
    readonly cacheType?: string;
    readonly requireServiceAccount?: boolean;
    readonly requiredServiceAccountAnnotationKeys?: readonly string[];
    readonly optionalServiceAccountAnnotationKeys?: readonly string[];
  };
}

/** A metav1.Duration as milliseconds. */
export const durationText = scalar({
  expected: 'duration (string such as 10m)',
  zero: 0,
  read(value) {
    if (typeof value !== 'string') return undefined;
    try {
      return { value: parseGoDuration(value) };
    } catch (error) {
      return { fault: messageOf(error) };
    }
  },
});

const provider: Fields = {
  name: string,
  matchImages: list(string),
  defaultCacheDuration: pointer(durationText),
  apiVersion: string,
  args: list(string),
  env: list(object({ name: string, value: string })),
};
const tokenAttributes = object({
  serviceAccountTokenAudience: string,
  cacheType: string,
  requireServiceAccount: pointer(bool),
  requiredServiceAccountAnnotationKeys: list(string),
  optionalServiceAccountAnnotationKeys: list(string),
});
const kind = 'CredentialProviderConfig';
const group = 'kubelet.config.k8s.io';
const providersByVersion: Readonly<Record<string, Fields>> = {
  [`${group}/v1`]: { ...provider, tokenAttributes },
  [`${group}/v1beta1`]: provider,
  [`${group}/v1alpha1`]: provider,
};

/**
 * Decodes one file with credential providers, YAML or JSON, strictly: an unknown or double field is a fault. @throws
 * KubeletError `invalid-argument` with all faults, each with its field and value.
 */
export function decodeProviderFile(content: Uint8Array): readonly ProviderInFile[] {
  const { value, faults } = readDocument(content);
  if (!isSourceObject(value)) throw invalid(`expected an object of kind ${kind}`);
  const providers = providersByVersion[apiVersionOf(value)] ?? {};
  const schema = object({ apiVersion: string, kind: string, providers: list(object(providers)) });
  const decoded = decodeWithSchema(schema, value);
  const all = [...faults, ...decoded.faults];
  if (all.length > 0) throw invalid(all.map(formatFault).join('; '));
  return (decoded.value as { readonly providers?: readonly ProviderInFile[] }).providers ?? [];
}

function apiVersionOf({ apiVersion, kind: given }: SourceObject): string {
  if (typeof apiVersion !== 'string' || !Object.hasOwn(providersByVersion, apiVersion)) {
    const known = Object.keys(providersByVersion).join(', ');
    throw invalid(`apiVersion: expected one of ${known}, got ${JSON.stringify(apiVersion) ?? 'nothing'}`);
  }
  if (given !== kind) throw invalid(`kind: expected ${kind}, got ${JSON.stringify(given) ?? 'nothing'}`);
  return apiVersion;
}

const invalid = (message: string): KubeletError => new KubeletError(message, { code: 'invalid-argument' });
