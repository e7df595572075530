import { createToken, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface FilePodMemoryConfig {
  /** State directory of the kubelet; the files are in `pod_memory` below it. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** Most bytes that one pod may have on the disk; what does not fit is remembered by this process only. Default 2 MiB. */
  readonly maxBytesPerPod: number;
}

export const FILE_POD_MEMORY_CONFIG = createToken<FilePodMemoryConfig>('kubelet.file-pod-memory.config/v1');

export const filePodMemoryConfigSchema = defineConfig<FilePodMemoryConfig>(FILE_POD_MEMORY_CONFIG, {
  rootDir: stringField('/var/lib/kubelet'),
  // A status and a spec fit many times over; the largest object that an API server takes fits as well.
  maxBytesPerPod: integerField(2 ** 21, { min: 1024 }),
});
