import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import type { EnvVar } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MountedVolume } from '@podwright/volume-interface';
import { parseEnvFile } from './parse-env-file.js';
import { readInside } from './read-inside.js';

type FileKeySelector = NonNullable<NonNullable<EnvVar['valueFrom']>['fileKeyRef']>;

const longestFileBytes = 64 * 1024;

/**
 * Value of a `fileKeyRef`; undefined when it is optional and the file or key is missing. An empty value counts as
 * missing. When the file cannot be read, the log has the details and the error does not: they are about the node.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go makeEnvironmentVariables.
 */
export async function fileKey(
  { volumeName, path, key, optional = false }: FileKeySelector,
  volumes: readonly MountedVolume[],
  logger: Logger,
): Promise<string | undefined> {
  const volume = volumes.find(({ name }) => name === volumeName);
  if (volume === undefined) {
    throw refused(`cannot find the volume ${goQuote(volumeName)} referenced by FileKeyRef`, 'not-found');
  }
  const text = await read(volume.hostPath, path, logger);
  if (text === undefined && optional) return undefined;
  const value = valueIn(text, { volumePath: volume.hostPath, path, key }, logger);
  if (value !== '') return value;
  if (optional) return undefined;
  const file = goQuote(join(volume.hostPath, path));
  throw refused(`environment variable key ${goQuote(key)} not found in file ${file}`, 'not-found');
}

async function read(volumePath: string, path: string, logger: Logger): Promise<string | undefined> {
  try {
    return await readInside(volumePath, path, longestFileBytes);
  } catch (error) {
    throw unusable({ volumePath, path, error }, logger);
  }
}

function valueIn(
  text: string | undefined,
  { volumePath, path, key }: { readonly volumePath: string; readonly path: string; readonly key: string },
  logger: Logger,
): string {
  if (text === undefined) throw unusable({ volumePath, path, error: 'no such file' }, logger);
  try {
    return parseEnvFile(text, key);
  } catch (error) {
    throw unusable({ volumePath, path, error }, logger);
  }
}

function unusable(details: Readonly<Record<string, unknown>>, logger: Logger): KubeletError {
  logger.error('Failed to parse env file', details);
  return refused("couldn't parse env file");
}

function refused(message: string, code: 'invalid-argument' | 'not-found' = 'invalid-argument'): KubeletError {
  return new KubeletError(message, { code });
}
