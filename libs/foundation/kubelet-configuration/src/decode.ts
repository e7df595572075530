import { KubeletError, messageOf } from '@podwright/errors';
import type { DecodeFault, SourceObject } from '@podwright/pod-manifest';
import {
  decodeWithSchema,
  describeValue,
  formatFault,
  isSourceObject,
  readFirstDocument,
} from '@podwright/pod-manifest';
import type { PartialKubeletConfiguration } from './kubelet-configuration.js';
import { kubeletConfigurationSchema } from './schema.js';

export const configurationApiVersion = 'kubelet.config.k8s.io/v1beta1';
export const configurationKind = 'KubeletConfiguration';

export interface DecodedConfiguration {
  /** The fields of the file, without defaults. */
  readonly configuration: PartialKubeletConfiguration;
  /** Unknown and duplicate fields, which are ignored. */
  readonly warnings: readonly string[];
}

/**
 * Decodes a configuration file, YAML or JSON. Unknown and duplicate fields are warnings and all other faults fatal, as
 * with upstream's lenient decoder. Source: kubernetes v1.36 pkg/kubelet/kubeletconfig/configfiles/configfiles.go.
 * @throws KubeletError `invalid-argument` naming the file, the field and the value.
 */
export function decodeKubeletConfiguration(content: Uint8Array | string, fileName: string): DecodedConfiguration {
  const { value, faults, hasMore } = readConfigurationDocument(content, fileName);
  const decoded = decodeWithSchema(kubeletConfigurationSchema, value);
  const all = [...faults, ...decoded.faults];
  const fatal = all.filter(({ kind }) => kind === 'type');
  if (fatal.length > 0) throw failure(fileName, fatal.map(formatFault).join('; '));
  return {
    configuration: withoutType(decoded.value),
    warnings: [
      ...all.map(
        (fault) => `Using lenient decoding as strict decoding failed, path: ${fileName}, ${formatFault(fault)}`,
      ),
      ...(hasMore ? [`Only the first YAML document counts, the others are ignored, path: ${fileName}`] : []),
    ],
  };
}

/** Reads the first document and checks its kind and version. @throws KubeletError `invalid-argument`. */
export function readConfigurationDocument(
  content: Uint8Array | string,
  fileName: string,
): { readonly value: SourceObject; readonly faults: readonly DecodeFault[]; readonly hasMore: boolean } {
  if (content.length === 0)
    throw failure(fileName, 'the file was empty, but is expected to hold a KubeletConfiguration');
  try {
    const { value, faults, hasMore } = readFirstDocument(content);
    if (!isSourceObject(value))
      throw failure('', `expected an object with apiVersion and kind, got ${describeValue(value)}`);
    for (const [field, wanted] of [
      ['apiVersion', configurationApiVersion],
      ['kind', configurationKind],
    ] as const) {
      const given = value[field];
      if (given === undefined) throw failure('', `${field} is not set, expected ${wanted}`);
      if (given !== wanted) throw failure('', `${field}: expected ${wanted}, got ${describeValue(given)}`);
    }
    return { value, faults, hasMore };
  } catch (error) {
    throw failure(fileName, messageOf(error), error);
  }
}

export function withoutType(decoded: unknown): PartialKubeletConfiguration {
  const { apiVersion: _apiVersion, kind: _kind, ...configuration } = decoded as Record<string, unknown>;
  return configuration;
}

function failure(fileName: string, message: string, cause?: unknown): KubeletError {
  const text = fileName === '' ? message : `failed to load kubelet config file, path: ${fileName}, error: ${message}`;
  return new KubeletError(text, { code: 'invalid-argument', cause });
}
