import { defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface FilePodCheckpointsConfig {
  /** The kubelet's state directory; the files are in `pod_memory` below it. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** Maximum size of one pod's file in bytes; parts that do not fit are not saved. Default 2 MiB. */
  readonly maxBytesPerPod: number;
}

export const filePodCheckpointsConfigSchema = defineConfig<FilePodCheckpointsConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  // Large enough for many statuses and specs, and for the largest object that an API server accepts.
  maxBytesPerPod: integerField(2 ** 21, { min: 1024 }),
});
