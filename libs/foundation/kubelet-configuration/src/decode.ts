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
  if (content.length === 0) throw failure(fileName, emptyFile(fileName));
  const { value, faults, hasMore } = readTyped(content, fileName);
  const decoded = decodeWithSchema(kubeletConfigurationSchema, value);
  const all = [...faults, ...decoded.faults];
  const fatal = all.filter(({ kind }) => kind === 'type');
  if (fatal.length > 0) throw failure(fileName, `failed to decode: ${fatal.map(formatFault).join('; ')}`);
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

/** The first document of a file. */
export interface ConfigurationDocument {
  readonly value: SourceObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly faults: readonly DecodeFault[];
  readonly hasMore: boolean;
}

/** Reads the first document, which must have a kind and a version; the caller says which. @throws Error */
export function readConfigurationDocument(content: Uint8Array | string): ConfigurationDocument {
  const { value, faults, hasMore } = readFirstDocument(content);
  if (!isSourceObject(value))
    throw new Error(`expected an object with apiVersion and kind, got ${describeValue(value)}`);
  const text = (field: 'apiVersion' | 'kind', wanted: string): string => {
    const given = value[field];
    if (given === undefined) throw new Error(`${field} is not set, expected ${wanted}`);
    if (typeof given !== 'string') throw new Error(`${field}: expected ${wanted}, got ${describeValue(given)}`);
    return given;
  };
  return {
    ...{ value, faults, hasMore },
    apiVersion: text('apiVersion', configurationApiVersion),
    kind: text('kind', configurationKind),
  };
}

export const isKubeletConfiguration = ({ apiVersion, kind }: ConfigurationDocument): boolean =>
  apiVersion === configurationApiVersion && kind === configurationKind;

/** Upstream's words about a file without content. */
export const emptyFile = (fileName: string): string => `kubelet config file ${JSON.stringify(fileName)} was empty`;

function readTyped(content: Uint8Array | string, fileName: string): ConfigurationDocument {
  try {
    const document = readConfigurationDocument(content);
    if (isKubeletConfiguration(document)) return document;
    const { apiVersion, kind } = document;
    throw new Error(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/kubelet/apis/config/scheme/scheme.go:33", expected ${configurationKind} of ${configurationApiVersion}`,
    );
  } catch (error) {
    throw failure(fileName, `failed to decode: ${messageOf(error)}`, error);
  }
}

export function withoutType(decoded: unknown): PartialKubeletConfiguration {
  const { apiVersion: _apiVersion, kind: _kind, ...configuration } = decoded as Record<string, unknown>;
  return configuration;
}

/** The error about a file of `--config`, in upstream's words, which name it twice. */
export function failure(fileName: string, message: string, cause?: unknown): KubeletError {
  const text = `failed to load Kubelet config file ${fileName}, error ${message}`;
  return new KubeletError(`failed to load kubelet config file, path: ${fileName}, error: ${text}`, {
    code: 'invalid-argument',
    cause,
  });
}
