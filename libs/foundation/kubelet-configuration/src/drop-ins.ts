import { KubeletError, messageOf } from '@podwright/errors';
import type { SourceValue } from '@podwright/kube-types';
import { decodeWithSchema, formatFault } from '@podwright/kube-types';
import { extname, join } from 'node:path';
import type { ConfigurationFiles } from './configuration-files.js';
import { readConfigurationDocument, withoutType } from './decode.js';
import { defaultKubeletConfiguration } from './defaults.js';
import type { FeatureGates } from './feature-gates/feature-gates.js';
import { foldKeys } from './fold-keys.js';
import type { KubeletConfiguration } from './kubelet-configuration.js';
import { mergePatch } from './merge-patch.js';
import { kubeletConfigurationSchema } from './schema.js';

/** Only these files of the drop-in folder count. */
const dropInExtension = '.conf';
/** Deeper folders than any operator makes; a bound for links that lead back. */
const maxDepth = 32;

export interface MergedDropIns {
  readonly configuration: KubeletConfiguration;
  /** Files that were merged, in order. */
  readonly merged: readonly string[];
  /** Files that were passed over because of their extension. */
  readonly skipped: readonly string[];
}

/**
 * Merges every `.conf` file below `folder`, in the order of their names, onto `base`, then defaults again, so that a
 * field deleted with null has its default back. Unknown fields are passed over; relative paths stay as they are.
 * Source: kubernetes v1.36 cmd/kubelet/app/server.go mergeKubeletConfigurations.
 * @throws KubeletError `invalid-argument` naming the file and the fault, also when the folder cannot be read.
 */
export async function mergeDropIns(
  base: KubeletConfiguration,
  folder: string,
  files: ConfigurationFiles,
  gates: FeatureGates,
): Promise<MergedDropIns> {
  const found = await walk(folder, files, 0);
  const merged = found.filter((path) => extname(path) === dropInExtension);
  let value = base as unknown as SourceValue;
  for (const path of merged) value = mergePatch(value, await readDropIn(path, files));
  const decoded = decodeWithSchema(kubeletConfigurationSchema, foldKeys(value, kubeletConfigurationSchema));
  const faults = decoded.faults.filter(({ kind }) => kind === 'type');
  if (faults.length > 0) throw failure(folder, faults.map(formatFault).join('; '));
  return {
    configuration: defaultKubeletConfiguration(withoutType(decoded.value), gates),
    merged,
    skipped: found.filter((path) => !merged.includes(path)),
  };
}

/** Depth first, entries of each folder in the order of their names. */
async function walk(folder: string, files: ConfigurationFiles, depth: number): Promise<readonly string[]> {
  if (depth > maxDepth) throw failure(folder, `folders nested deeper than ${maxDepth}`);
  try {
    const entries = [...(await files.readDirectory(folder))].sort((a, b) => (a.name < b.name ? -1 : 1));
    const paths: string[] = [];
    for (const { name, isDirectory } of entries) {
      const path = join(folder, name);
      if (isDirectory) paths.push(...(await walk(path, files, depth + 1)));
      else paths.push(path);
    }
    return paths;
  } catch (error) {
    throw failure(folder, messageOf(error), error);
  }
}

async function readDropIn(path: string, files: ConfigurationFiles): Promise<SourceValue> {
  try {
    // The file alone must be sound too, so that the message can name it.
    const { value } = readConfigurationDocument(await files.readFile(path), path);
    const folded = foldKeys(value, kubeletConfigurationSchema);
    const faults = decodeWithSchema(kubeletConfigurationSchema, folded).faults.filter(({ kind }) => kind === 'type');
    if (faults.length > 0) throw failure(path, faults.map(formatFault).join('; '));
    return value;
  } catch (error) {
    throw failure(path, messageOf(error), error);
  }
}

function failure(path: string, message: string, cause?: unknown): KubeletError {
  // An inner failure names its file already.
  const text = message.startsWith('failed to ') ? message : `failed to process kubelet dropin file ${path}: ${message}`;
  return new KubeletError(text, { code: 'invalid-argument', cause });
}
