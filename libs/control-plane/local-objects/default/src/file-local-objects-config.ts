import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface FileLocalObjectsConfig {
  /** The kubelet's state directory; the objects are in `local-objects` below it. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** A folder of ConfigMap and Secret manifests that the operator keeps; empty: none. Default empty. */
  readonly objectsDir: string;
  /** Time between two checks of that folder when no event reports a change. Default 20 s. */
  readonly checkFrequencyMs: number;
  /** The most objects of all kinds together. Default 10000. */
  readonly maxObjects: number;
  /** The most bytes of all objects together, as JSON. Default 128 MiB. */
  readonly maxBytes: number;
}

export const fileLocalObjectsConfigSchema = defineConfig<FileLocalObjectsConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  objectsDir: stringField(''),
  checkFrequencyMs: durationMsField(20_000, { min: 1 }),
  maxObjects: integerField(10_000, { min: 1 }),
  maxBytes: integerField(128 * 2 ** 20, { min: 1 }),
});
