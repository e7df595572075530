import { errnoWords, KubeletError, messageOf } from '@podwright/errors';
import type { SourceValue } from '@podwright/pod-manifest';
import { decodeWithSchema, formatFault } from '@podwright/pod-manifest';
import { join } from 'node:path';
import { readFault, type ConfigurationFiles } from './configuration-files.js';
import {
  emptyFile,
  isKubeletConfiguration,
  readConfigurationDocument,
  withoutType,
  type ConfigurationDocument,
} from './decode.js';
import { defaultKubeletConfiguration } from './defaults.js';
import type { FeatureGates } from './feature-gates/feature-gates.js';
import { foldKeys } from './fold-keys.js';
import type { KubeletConfiguration } from './kubelet-configuration.js';
import { mergePatch } from './merge-patch.js';
import { kubeletConfigurationSchema } from './schema.js';

/** Only files with this extension are merged. */
const dropInExtension = '.conf';
/** Deeper than any operator nests folders; it bounds cycles of links. */
const maxDepth = 32;

export interface MergedDropIns {
  readonly configuration: KubeletConfiguration;
  /** The merged files, in order. */
  readonly merged: readonly string[];
  /** The files that were skipped because of their extension. */
  readonly skipped: readonly string[];
}

/**
 * Merges every `.conf` file below `folder` into `base`, in the order of their names, and then sets the defaults again,
 * so that a field removed with null gets its default. Ignores unknown fields; relative paths stay relative.
 * Source: kubernetes v1.36 cmd/kubelet/app/server.go mergeKubeletConfigurations.
 * @throws KubeletError `invalid-argument` naming the file and the fault, also when the folder cannot be read.
 */
export async function mergeDropIns(
  base: KubeletConfiguration,
  folder: string,
  files: ConfigurationFiles,
  gates: FeatureGates,
): Promise<MergedDropIns> {
  let found: readonly string[];
  let merged: readonly string[];
  let value = base as unknown as SourceValue;
  try {
    found = await walk(folder, files, 0);
    merged = found.filter((path) => path.endsWith(dropInExtension));
    for (const path of merged) value = mergePatch(value, await readDropIn(path, files));
  } catch (cause) {
    const place = `failed to walk through kubelet dropin directory ${JSON.stringify(folder)}`;
    throw failure(`${place}: ${messageOf(cause)}`, cause);
  }
  const decoded = decodeWithSchema(kubeletConfigurationSchema, foldKeys(value, kubeletConfigurationSchema));
  const faults = decoded.faults.filter(({ kind }) => kind === 'type');
  if (faults.length > 0) throw failure(faults.map(formatFault).join('; '));
  return {
    configuration: defaultKubeletConfiguration(withoutType(decoded.value), gates),
    merged,
    skipped: found.filter((path) => !merged.includes(path)),
  };
}

/** All files below a folder, depth first, the entries of each folder sorted by name. A file is all that is below it. */
async function walk(folder: string, files: ConfigurationFiles, depth: number): Promise<readonly string[]> {
  if (depth > maxDepth) throw new Error(`${folder}: folders nested deeper than ${maxDepth}`);
  const unsorted = await files.readDirectory(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR' && depth === 0) return undefined;
    throw new Error(`${depth === 0 ? 'lstat' : 'open'} ${folder}: ${errnoWords(error)}`, { cause: error });
  });
  if (unsorted === undefined) return [folder];
  const paths: string[] = [];
  for (const { name, isDirectory } of [...unsorted].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, name);
    if (isDirectory) paths.push(...(await walk(path, files, depth + 1)));
    else paths.push(path);
  }
  return paths;
}

async function readDropIn(path: string, files: ConfigurationFiles): Promise<SourceValue> {
  const document = await decodeDropIn(path, files).catch((error: unknown) => {
    throw new Error(`failed to load kubelet dropin file, path: ${path}, error: ${messageOf(error)}`, { cause: error });
  });
  if (isKubeletConfiguration(document)) return document.value;
  const { apiVersion, kind } = document;
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new Error(
    `failed to load kubelet dropin file, path: ${path}, unknown apiVersion/kind: ${version}, Kind=${kind}`,
  );
}

async function decodeDropIn(path: string, files: ConfigurationFiles): Promise<ConfigurationDocument> {
  const content = await files.readFile(path).catch((error: unknown) => {
    const place = `failed to read drop-in kubelet config file ${JSON.stringify(path)}`;
    throw new Error(`${place}, error: ${readFault(path, error)}`, { cause: error });
  });
  if (content.length === 0) throw new Error(emptyFile(path));
  // Checks each file by itself, so that the message can name it.
  const document = readConfigurationDocument(content);
  if (!isKubeletConfiguration(document)) return document;
  // Null removes a field, so no field is null that is decoded.
  const folded = foldKeys(mergePatch({}, document.value), kubeletConfigurationSchema);
  const { faults: ofFields } = decodeWithSchema(kubeletConfigurationSchema, folded);
  // A key that is there twice is a warning in the file of --config only: upstream decodes drop-ins strictly.
  const faults = [...document.faults, ...ofFields.filter(({ kind }) => kind === 'type')];
  if (faults.length > 0) throw new Error(faults.map(formatFault).join('; '));
  return document;
}

function failure(message: string, cause?: unknown): KubeletError {
  return new KubeletError(`failed to merge kubelet configs: ${message}`, { code: 'invalid-argument', cause });
}
