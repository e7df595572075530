import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';

export interface LocalVolumesConfig {
  /** `--root-dir`. */
  readonly rootDir: string;
  /** Feature gate: project quotas count what emptyDirs of pods with a user namespace use. */
  readonly quotaMonitoring: boolean;
  /** Folder that stands for the node, for replays: host paths are made below it, whatever their type. Empty: the node. */
  readonly standInRoot: string;
}

export const localVolumesConfig = defineConfig<LocalVolumesConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  quotaMonitoring: booleanField(false),
  standInRoot: stringField(''),
});
