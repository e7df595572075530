import {
  ADMISSION_HANDLERS,
  PLUGIN_RESOURCES,
  type Admission,
  type AdmissionHandlers,
  type AdmissionOperation,
  type AdmissionResult,
  type AdmissionStage,
  type PluginResources,
} from '@podwright/admission-interface';
import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { podRef, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { NODE_SOURCE, type NodeSource } from '@podwright/node-status-interface';
import { PREEMPTION, type Preemption } from '@podwright/preemption-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { NODE_ADMISSION_CONFIG, type NodeAdmissionConfig } from './node-admission-config.js';
import { appArmorEnabled, checkAppArmor } from './pod-checks/app-armor.js';
import { checkDeclaredFeatures, checkPodFeatures } from './pod-checks/pod-features.js';
import { NodePredicates } from './predicates/node-predicates.js';
import { refusal, type Refusal } from './refusal.js';
import { rejectionCounter } from './rejection-metrics.js';
import { safeSysctlsOf } from './sysctl/safe-sysctls.js';
import { checkSysctls, sysctlAllowList, type SysctlAllowList } from './sysctl/sysctl-allow-list.js';

type Check = () => Refusal | undefined | Promise<Refusal | undefined>;

/** {@link Admission} by upstream's checks in upstream's order, with the handlers that other managers have added in between. */
@injectable()
export class NodeAdmission implements Admission {
  private readonly predicates: NodePredicates;
  private readonly sysctls: SysctlAllowList;
  private readonly countRejection: (reason: string) => void;
  private hasAppArmor: Promise<boolean> | undefined;

  constructor(
    @inject(ADMISSION_HANDLERS) private readonly handlers: AdmissionHandlers,
    @inject(PLUGIN_RESOURCES) plugins: PluginResources,
    @inject(NODE_SOURCE) private readonly nodes: NodeSource,
    @inject(PREEMPTION) preemption: Preemption,
    @inject(CLOCK) clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(NODE_ADMISSION_CONFIG) private readonly config: NodeAdmissionConfig,
  ) {
    this.predicates = new NodePredicates({ nodes, plugins, preemption, clock, logger }, config);
    this.sysctls = sysctlAllowList([...safeSysctlsOf(config.kernelRelease), ...config.allowedUnsafeSysctls]);
    this.countRejection = rejectionCounter(metrics);
  }

  async admit(pod: Pod, otherPods: readonly Pod[], operation: AdmissionOperation = 'add'): Promise<AdmissionResult> {
    const { podLevelResources, nodeDeclaredFeatures } = this.config;
    const stage =
      (name: AdmissionStage): Check =>
      () =>
        this.ask(name, pod, otherPods, operation);
    const checks: readonly Check[] = [
      ...(operation === 'resize' ? [stage('resize')] : []),
      stage('eviction'),
      () => checkSysctls(pod, this.sysctls),
      stage('topology'),
      () => this.predicates.check(pod, otherPods),
      () => checkAppArmor(pod, () => this.appArmor()),
      () => checkPodFeatures(pod, podLevelResources),
      () => (nodeDeclaredFeatures ? checkDeclaredFeatures(pod, this.nodes.declaredFeatures()) : undefined),
      stage('node-shutdown'),
    ];
    for (const check of checks) {
      const refused = await this.outcome(check, pod);
      if (refused === undefined) continue;
      if (operation === 'add') this.countRejection(refused.reason);
      return refused;
    }
    return { admit: true };
  }

  private async ask(
    stage: AdmissionStage,
    pod: Pod,
    otherPods: readonly Pod[],
    operation: AdmissionOperation,
  ): Promise<Refusal | undefined> {
    for (const handler of this.handlers.of(stage)) {
      const refused = await handler(pod, otherPods, operation);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  // A check that breaks must not let a pod pass, nor keep the caller from the next pod.
  private async outcome(check: Check, pod: Pod): Promise<Refusal | undefined> {
    try {
      return await check();
    } catch (error) {
      this.logger.error('An admission check has failed', { pod: podRef(pod), error });
      return refusal('UnexpectedAdmissionError', `Admission failed due to ${messageOf(error)}, which is unexpected`);
    }
  }

  // Looked at once: a change of AppArmor needs a new start of the kubelet upstream, too.
  private appArmor(): Promise<boolean> {
    this.hasAppArmor ??= appArmorEnabled(this.config.hostRoot);
    return this.hasAppArmor;
  }
}
