import {
  ADMISSION_CHECKS,
  PLUGIN_RESOURCE_ADJUSTMENTS,
  type Admission,
  type AdmissionOperation,
  type AdmissionResult,
  type AdmissionStage,
} from '@podwright/admission-interface';
import { CLOCK, LOGGER, METRICS, needs, optional, type Needs } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { JOURNAL, journalPod } from '@podwright/journal-interface';
import { podRef, type Pod } from '@podwright/kube-types';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { PREEMPTION } from '@podwright/preemption-interface';
import type { NodeAdmissionConfig } from './node-admission-config.js';
import { appArmorEnabled, checkAppArmor } from './pod-checks/app-armor.js';
import { checkDeclaredFeatures, checkPodFeatures } from './pod-checks/pod-features.js';
import { NodePredicates } from './predicates/node-predicates.js';
import { refusal, type Refusal } from './refusal.js';
import { rejectionCounter } from './rejection-metrics.js';
import { safeSysctlsOf } from './sysctl/safe-sysctls.js';
import { checkSysctls, sysctlAllowList, type SysctlAllowList } from './sysctl/sysctl-allow-list.js';

type Check = () => Refusal | undefined | Promise<Refusal | undefined>;

export const admissionNeeds = needs({
  /** Checks of other managers, run between upstream's own. */
  checks: ADMISSION_CHECKS,
  adjustments: PLUGIN_RESOURCE_ADJUSTMENTS,
  nodes: NODE_SOURCE,
  preemption: PREEMPTION,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  journal: optional(JOURNAL),
});
export type AdmissionNeeds = Needs<typeof admissionNeeds>;

/**
 * {@link Admission} with upstream's checks in upstream's order, and those that other managers contribute in between.
 */
export class NodeAdmission implements Admission {
  private readonly predicates: NodePredicates;
  private readonly sysctls: SysctlAllowList;
  private readonly countRejection: (reason: string) => void;
  private hasAppArmor: Promise<boolean> | undefined;

  constructor(
    private readonly deps: AdmissionNeeds,
    private readonly config: NodeAdmissionConfig,
  ) {
    this.predicates = new NodePredicates(deps, config);
    this.sysctls = sysctlAllowList([...safeSysctlsOf(config.kernelRelease), ...config.allowedUnsafeSysctls]);
    this.countRejection = rejectionCounter(deps.metrics);
  }

  async admit(pod: Pod, otherPods: readonly Pod[], operation: AdmissionOperation = 'add'): Promise<AdmissionResult> {
    const { podLevelResources, nodeDeclaredFeatures } = this.config;
    const begunAtMs = this.deps.clock.monotonic();
    const stage =
      (name: AdmissionStage): Check =>
      () =>
        this.ask(name, pod, otherPods, operation);
    const checks: readonly Check[] = [
      stage('eviction'),
      () => checkSysctls(pod, this.sysctls),
      stage('topology'),
      () => this.predicates.check(pod, otherPods),
      () => checkAppArmor(pod, () => this.appArmor()),
      () => checkPodFeatures(pod, podLevelResources),
      () => (nodeDeclaredFeatures ? checkDeclaredFeatures(pod, this.deps.nodes.declaredFeatures()) : undefined),
      stage('node-shutdown'),
      stage('last'),
    ];
    for (const check of checks) {
      const refused = await this.outcome(check, pod);
      if (refused === undefined) continue;
      if (operation === 'add') this.countRejection(refused.reason);
      const { reason, message } = refused;
      // A resize is tried again and again; who tries it reports when the answer changes.
      if (operation === 'add')
        this.deps.journal?.report({ kind: 'pod.refused', pod: journalPod(pod), operation, reason, message });
      return refused;
    }
    if (operation === 'add') {
      const durationMs = this.deps.clock.monotonic() - begunAtMs;
      this.deps.journal?.report({ kind: 'pod.admitted', pod: journalPod(pod), durationMs });
    }
    return { admit: true };
  }

  private async ask(
    stage: AdmissionStage,
    pod: Pod,
    otherPods: readonly Pod[],
    operation: AdmissionOperation,
  ): Promise<Refusal | undefined> {
    for (const check of this.deps.checks) {
      if (check.stage !== stage) continue;
      const refused = await check.check(pod, otherPods, operation);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  // A check that throws must not admit the pod, nor keep the caller from its next pod.
  private async outcome(check: Check, pod: Pod): Promise<Refusal | undefined> {
    try {
      return await check();
    } catch (error) {
      this.deps.logger.error('An admission check has failed', { pod: podRef(pod), error });
      return refusal('UnexpectedAdmissionError', `Admission failed due to ${messageOf(error)}, which is unexpected`);
    }
  }

  // Read once: as in upstream, a change of AppArmor takes effect after a restart of the kubelet.
  private appArmor(): Promise<boolean> {
    this.hasAppArmor ??= appArmorEnabled(this.config.hostRoot);
    return this.hasAppArmor;
  }
}
