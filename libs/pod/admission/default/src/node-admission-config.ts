import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  listField,
  stringField,
} from '@podwright/assembly-interface';
import { release } from 'node:os';
import { sysctlPatternFault } from './sysctl/sysctl-allow-list.js';

export interface NodeAdmissionConfig {
  /** Names of sysctls, or beginnings with a `*` behind, beside the safe ones. */
  readonly allowedUnsafeSysctls: readonly string[];
  /** Version of the kernel, which decides which sysctls are safe. */
  readonly kernelRelease: string;
  /** `/sys` is read below it. */
  readonly hostRoot: string;
  /** How long the node may take to be fetched when only its labels keep a pod away. */
  readonly fetchNodeTimeoutMs: number;
  /** Feature gate PodLevelResources. */
  readonly podLevelResources: boolean;
  /** Feature gate TaintTolerationComparisonOperators. */
  readonly tolerationComparisons: boolean;
  /** Feature gate NodeDeclaredFeatures. */
  readonly nodeDeclaredFeatures: boolean;
}

export const NODE_ADMISSION_CONFIG = createToken<NodeAdmissionConfig>('kubelet.node-admission.config/v1');

export const nodeAdmissionConfigSchema = defineConfig<NodeAdmissionConfig>(
  NODE_ADMISSION_CONFIG,
  {
    allowedUnsafeSysctls: listField([]),
    kernelRelease: stringField(release()),
    hostRoot: stringField('/'),
    fetchNodeTimeoutMs: durationMsField(10_000, { min: 1 }),
    podLevelResources: booleanField(true),
    tolerationComparisons: booleanField(false),
    nodeDeclaredFeatures: booleanField(true),
  },
  ({ allowedUnsafeSysctls }) =>
    allowedUnsafeSysctls.flatMap((value) => {
      const problem = sysctlPatternFault(value);
      return problem === undefined ? [] : [{ field: 'allowedUnsafeSysctls', value, problem }];
    }),
);
