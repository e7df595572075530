import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface SegmentJournalConfig {
  /** The kubelet's state directory; the segment files are in `journal` below it. */
  readonly rootDir: string;
  /** Most bytes of all segment files together; 0: nothing is kept on disk. */
  readonly maxDiskBytes: number;
  /** Bytes after which a segment file is full. */
  readonly segmentBytes: number;
  /** How long entries are collected before they are written, in milliseconds. */
  readonly writeDelayMs: number;
  /** Most bytes that wait to be written; what comes beyond is lost to the disk. */
  readonly bufferBytes: number;
  /** Most entries in memory. */
  readonly maxEntries: number;
  /** Most bytes of the entries in memory, as JSON. */
  readonly maxMemoryBytes: number;
  /** Most entries in memory of one pod; eight times as many are about the node itself. */
  readonly entriesPerPod: number;
  /** Bytes, as JSON, from which an entry is cut. */
  readonly maxEntryBytes: number;
}

export const segmentJournalConfigSchema = defineConfig<SegmentJournalConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  maxDiskBytes: integerField(64 * 2 ** 20, { min: 0 }),
  segmentBytes: integerField(4 * 2 ** 20, { min: 1024 }),
  // What a kill -9 may cost, against one write a second.
  writeDelayMs: durationMsField(500),
  bufferBytes: integerField(4 * 2 ** 20, { min: 1024 }),
  maxEntries: integerField(5_000, { min: 1 }),
  maxMemoryBytes: integerField(2 * 2 ** 20, { min: 1024 }),
  entriesPerPod: integerField(128, { min: 1 }),
  // The rankings of an eviction on a node of 250 pods fit in.
  maxEntryBytes: integerField(128 * 2 ** 10, { min: 1024 }),
});
