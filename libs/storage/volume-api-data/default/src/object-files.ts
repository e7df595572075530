import { KubeletError } from '@podwright/errors';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import type { FileProjection, Payload } from './payload.js';

/** Which keys go into which files; without items, each key becomes a file of its name. */
export interface ObjectProjection {
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[];
  /** Mode of items that name none. */
  readonly defaultMode: number | undefined;
  /** Ignore missing keys. */
  readonly optional: boolean;
}

/** The files of a Secret. Source: kubernetes v1.36 pkg/volume/secret/secret.go MakePayload. */
export function secretFiles({ data = {} }: Secret, projection: ObjectProjection): Payload {
  const contents = new Map(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')]));
  return filesOf(contents, projection, 'references non-existent secret key');
}

/** The files of a ConfigMap. Source: kubernetes v1.36 pkg/volume/configmap/configmap.go MakePayload. */
export function configMapFiles({ data = {}, binaryData = {} }: ConfigMap, projection: ObjectProjection): Payload {
  const texts = Object.entries(data).map(([key, value]) => [key, Buffer.from(value)] as const);
  const binaries = Object.entries(binaryData).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const);
  return filesOf(new Map([...texts, ...binaries]), projection, 'configmap references non-existent config key');
}

/** @throws KubeletError `invalid-argument` without a default mode, which decoding sets. */
export function requiredMode(defaultMode: number | undefined): number {
  if (defaultMode !== undefined) return defaultMode;
  throw new KubeletError('no defaultMode used, not even the default value for it', { code: 'invalid-argument' });
}

function filesOf(
  contents: ReadonlyMap<string, Uint8Array>,
  { items = [], defaultMode, optional }: ObjectProjection,
  missing: string,
): Payload {
  const usualMode = requiredMode(defaultMode);
  const files = new Map<string, FileProjection>();
  if (items.length === 0) for (const [key, data] of contents) files.set(key, { data, mode: usualMode });
  for (const { key, path, mode = usualMode } of items) {
    const data = contents.get(key);
    if (data !== undefined) files.set(path, { data, mode });
    else if (!optional) throw new KubeletError(`${missing}: ${key}`, { code: 'failed-precondition' });
  }
  return files;
}
