/** A package that decides, and the files of it that get mutants. */
export interface MutatedPackage {
  /** As `--package` names it. */
  readonly name: string;
  /** Relative to the repository. */
  readonly folder: string;
  /** Files and folders below `src`: what decides. The rest of a package carries decisions out. */
  readonly files: readonly string[];
  /** Specs below `src` that do not run, besides those that never do. */
  readonly without?: readonly string[];
}

// In the order of running: those that cost most to get wrong first.
export const mutatedPackages: readonly MutatedPackage[] = [
  {
    name: 'container-runtime',
    folder: 'libs/runtime/container-runtime/default',
    files: ['actions', 'kill/grace-period.ts', 'kill/termination-order.ts', 'sync/crash-loop-back-off.ts'],
    // Its cases wait for a runtime that a mutant may have left without containers.
    without: ['contract.spec.ts'],
  },
  {
    name: 'pod-workers',
    folder: 'libs/pod/pod-workers/default',
    // Not `laned-pod-workers.ts` and `sync-runner.ts`, which run what these decide: a mutant there leaves cases waiting
    // for a call that never comes, ten seconds each.
    files: [
      ...['accept-update.ts', 'active-pod-filter.ts', 'grace-period.ts', 'orphan-step.ts', 'pod-lifecycle-table.ts'],
      ...['pod-record.ts', 'requeue-delay.ts', 'restore-record.ts', 'static-pod-order.ts'],
      ...['termination-checkpoints.ts', 'termination-part.ts', 'timed-work-queue.ts'],
    ],
  },
  {
    name: 'status',
    folder: 'libs/pod/status/default',
    files: [
      ...['container-transition.ts', 'merge-status.ts', 'normalize-status.ts', 'resource-version.ts', 'same-status.ts'],
      ...['same-value.ts', 'send-queue.ts', 'status-patch.ts', 'terminate-status.ts', 'pod-status-manager.ts'],
    ],
  },
  {
    name: 'eviction',
    folder: 'libs/node/eviction/default',
    files: ['ranking', 'thresholds', 'local-storage', 'pass/plan-evictions.ts', 'admit-under-pressure.ts'],
  },
  {
    name: 'admission',
    folder: 'libs/pod/admission/default',
    files: ['predicates', 'sysctl', 'pod-checks', 'node-admission.ts'],
  },
  {
    name: 'probe',
    folder: 'libs/pod/probe/default',
    files: ['results', 'probe-worker.ts', 'result-run.ts', 'ticker.ts', 'attempt-pacer.ts', 'probe-target-status.ts'],
  },
  {
    name: 'cpu-manager',
    folder: 'libs/resources/cpu-manager/default',
    files: ['assignment', 'policy', 'cpu-topology.ts', 'guaranteed-cpus.ts'],
  },
  {
    name: 'memory-manager',
    folder: 'libs/resources/memory-manager/default',
    files: ['policy', 'state/machine-memory.ts', 'memory-amounts.ts'],
  },
  {
    name: 'topology-manager',
    folder: 'libs/resources/topology-manager/default',
    files: [
      'merge-hints.ts',
      'numa-mask.ts',
      'topology-policies.ts',
      'topology-policy.ts',
      'aligning-topology-manager.ts',
    ],
  },
  {
    name: 'image-gc',
    folder: 'libs/runtime/image-gc/default',
    files: [
      'disk-usage.ts',
      'free-images.ts',
      'freed-bytes.ts',
      'images-in-use.ts',
      'image-records.ts',
      'image-key.ts',
    ],
  },
  { name: 'x509', folder: 'libs/foundation/x509', files: ['chain'] },
  {
    name: 'server-auth',
    folder: 'libs/control-plane/server-auth/default',
    files: ['certificate'],
    // It asks with thousands of tokens, and never with a certificate.
    without: ['token/token-authenticator.spec.ts'],
  },
  {
    name: 'cert-rotation',
    folder: 'libs/control-plane/cert-rotation/default',
    // What decides about certificates, requests and stored pairs. The managers around it carry that out; their cases
    // make keys and wait for each other.
    files: [
      ...['bootstrap/request-name.ts', 'request', 'rotation/certificate-request-state.ts'],
      ...['rotation/rotation-deadline.ts', 'rotation/server-health.ts', 'serving/serving-template.ts', 'store'],
    ],
    // The cases of those managers, too.
    without: [
      ...['bootstrap/prepare-bootstrap-kubeconfig.spec.ts', 'client/client-certificate-manager.spec.ts'],
      ...['rotation/rotating-certificate-manager.spec.ts', 'serving/serving-certificate-manager.spec.ts'],
    ],
  },
];
