import { labelValue, qualifiedName } from '@podwright/kube-types';
import { parseGoDuration, parseGoNanoseconds } from '@podwright/time';
import type { Taint } from '../kubelet-configuration.js';
import type { Rule } from './rule.js';

const second = 1_000_000_000n;
const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** As Go prints the structure. */
const goTaint = ({ key, value = '', effect, timeAdded = '<nil>' }: Taint): string =>
  `{${key} ${value} ${effect} ${timeAdded}}`;

/** Registration, shutdown and restart back-off. */
export const nodeRules: Rule = (configuration, context) => {
  const { gates, report } = context;
  if (configuration.serverTLSBootstrap && !gates.enabled('RotateKubeletServerCertificate')) {
    report('serverTLSBootstrap true requires feature gate RotateKubeletServerCertificate');
  }
  if (configuration.runOnce) {
    report('runOnce (--runOnce) true, Runonce mode has been deprecated and should not be set');
  }
  for (const taint of configuration.registerWithTaints) {
    const isValid =
      qualifiedName(taint.key).length === 0 &&
      labelValue(taint.value ?? '').length === 0 &&
      ['', ...taintEffects].includes(taint.effect);
    if (!isValid) context.reportRaw(`invalid taint: ${goTaint(taint)}`);
    if (taint.timeAdded !== undefined) report('taint.TimeAdded is not nil');
  }
  if (configuration.enableSystemLogQuery && !gates.enabled('NodeLogQuery')) {
    report('NodeLogQuery feature gate is required for enableSystemLogQuery');
  }
  if (configuration.enableSystemLogQuery && !configuration.enableSystemLogHandler) {
    report('enableSystemLogHandler is required for enableSystemLogQuery');
  }
  validateShutdown(configuration, context);
  validateBackOff(configuration, context);
};

const validateShutdown: Rule = (configuration, { gates, report }) => {
  const { shutdownGracePeriod: total, shutdownGracePeriodCriticalPods: critical } = configuration;
  const [totalNs, criticalNs] = [parseGoNanoseconds(total), parseGoNanoseconds(critical)];
  const byPriority = configuration.shutdownGracePeriodByPodPriority.length > 0;
  if (gates.enabled('GracefulNodeShutdown')) {
    if (criticalNs > totalNs) {
      report(`shutdownGracePeriodCriticalPods {${critical}} must be <= shutdownGracePeriod {${total}}`);
    }
    for (const [field, text, value] of [
      ['shutdownGracePeriod', total, totalNs],
      ['shutdownGracePeriodCriticalPods', critical, criticalNs],
    ] as const) {
      if (value !== 0n && value < second) report(`${field} {${text}} must be either zero or otherwise >= 1 sec`);
    }
  } else if (totalNs > 0n || criticalNs > 0n) {
    report(
      'specifying shutdownGracePeriod or shutdownGracePeriodCriticalPods requires feature gate GracefulNodeShutdown',
    );
  }
  if (!byPriority) return;
  if (!gates.enabled('GracefulNodeShutdownBasedOnPodPriority')) {
    report('Specifying shutdownGracePeriodByPodPriority requires feature gate GracefulNodeShutdownBasedOnPodPriority');
  } else if (totalNs > 0n || criticalNs > 0n) {
    report('Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time');
  }
};

const validateBackOff: Rule = ({ crashLoopBackOff }, { gates, report }) => {
  const period = crashLoopBackOff.maxContainerRestartPeriod;
  if (!gates.enabled('KubeletCrashLoopBackOffMax')) {
    if (period === undefined) return;
    report(
      'FeatureGate KubeletCrashLoopBackOffMax not enabled, CrashLoopBackOff.MaxContainerRestartPeriod must not be set',
    );
  } else if (period === undefined) {
    report('FeatureGate KubeletCrashLoopBackOffMax is enabled, CrashLoopBackOff.MaxContainerRestartPeriod must be set');
  } else {
    const ms = Math.trunc(parseGoDuration(period));
    if (ms >= 1_000 && ms <= 300_000) return;
    report(
      `CrashLoopBackOff.MaxContainerRestartPeriod (got: ${parseGoDuration(period) / 1000} seconds) must be set between 1s and 300s`,
    );
  }
};
