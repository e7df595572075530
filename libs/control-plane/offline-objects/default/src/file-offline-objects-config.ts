import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface FileOfflineObjectsConfig {
  /** The kubelet's state directory; the files are in `offline_objects` below it. */
  readonly rootDir: string;
  /** File of the key; empty: `key` beside the files. */
  readonly keyFile: string;
  /** How long the API server may take for its first answer before saved copies take its place, in milliseconds. */
  readonly offlineAfterMs: number;
  /** How long changes of a saved object may wait for further ones, in milliseconds. */
  readonly changeDelayMs: number;
  /** Most bytes of all files together. */
  readonly maxBytes: number;
  /** Most bytes of one file. */
  readonly maxObjectBytes: number;
}

export const fileOfflineObjectsConfigSchema = defineConfig<FileOfflineObjectsConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  keyFile: stringField(''),
  // Longer than a server needs that is there, shorter than anybody wants to wait for a pod.
  offlineAfterMs: durationMsField(10_000),
  changeDelayMs: durationMsField(2_000),
  maxBytes: integerField(64 * 2 ** 20, { min: 0 }),
  // More than the largest object that an API server accepts, and than the services of a large cluster.
  maxObjectBytes: integerField(8 * 2 ** 20, { min: 0 }),
});
