import { booleanField, defineConfig, durationMsField, listField, stringField } from '@podwright/assembly-interface';
import { release } from 'node:os';
import { sysctlPatternFault } from './sysctl/sysctl-allow-list.js';

export interface NodeAdmissionConfig {
  /** Unsafe sysctls that pods may set: names, or prefixes that end with `*`. */
  readonly allowedUnsafeSysctls: readonly string[];
  /** Kernel version; decides which sysctls are safe. */
  readonly kernelRelease: string;
  /** Root directory below which `/sys` is read. */
  readonly hostRoot: string;
  /** Longest wait for the Node when only its labels do not match the pod. */
  readonly fetchNodeTimeoutMs: number;
  /** Feature gate PodLevelResources. */
  readonly podLevelResources: boolean;
  /** Feature gate InPlacePodLevelResourcesVerticalScaling: pod-level requests count with what the runtime still gives. */
  readonly podLevelResize: boolean;
  /** Feature gate DRAExtendedResource: a request that a claim serves needs nothing of the node. */
  readonly extendedResources: boolean;
  /** Feature gate DRANodeAllocatableResources: what claims take of the node's own resources counts. */
  readonly nodeAllocatableClaims: boolean;
  /** Feature gate TaintTolerationComparisonOperators. */
  readonly tolerationComparisons: boolean;
  /** Feature gate NodeDeclaredFeatures. */
  readonly nodeDeclaredFeatures: boolean;
}

export const nodeAdmissionConfigSchema = defineConfig<NodeAdmissionConfig>(
  {
    allowedUnsafeSysctls: listField([]),
    kernelRelease: stringField(release()),
    hostRoot: stringField('/'),
    fetchNodeTimeoutMs: durationMsField(10_000, { min: 1 }),
    podLevelResources: booleanField(true),
    podLevelResize: booleanField(true),
    extendedResources: booleanField(true),
    nodeAllocatableClaims: booleanField(false),
    tolerationComparisons: booleanField(false),
    nodeDeclaredFeatures: booleanField(true),
  },
  ({ allowedUnsafeSysctls }) =>
    allowedUnsafeSysctls.flatMap((value) => {
      const problem = sysctlPatternFault(value);
      return problem === undefined ? [] : [{ field: 'allowedUnsafeSysctls', value, problem }];
    }),
);
