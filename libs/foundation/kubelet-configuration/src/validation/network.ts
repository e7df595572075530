import { posix } from 'node:path';
import type { Rule } from './rule.js';

/** The previous minor version: the only one that `showHiddenMetricsForVersion` may name. */
const previousMinor = '1.35';

/** Network, log folder and hidden metrics. */
export const networkRules: Rule = (configuration, { report, reportRaw }) => {
  const { hairpinMode, podLogsDir, showHiddenMetricsForVersion: shown } = configuration;
  if (!['none', 'hairpin-veth', 'promiscuous-bridge'].includes(hairpinMode)) {
    report(
      `option ${JSON.stringify(hairpinMode)} specified for hairpinMode (--hairpin-mode). Valid options are "none", "hairpin-veth" or "promiscuous-bridge"`,
    );
  }
  if (podLogsDir === '') report('podLogsDir was not specified');
  if (!posix.isAbsolute(podLogsDir)) report(`pod logs path ${JSON.stringify(podLogsDir)} must be absolute path`);
  if (!isClean(podLogsDir)) report(`pod logs path ${JSON.stringify(podLogsDir)} must be normalized`);
  if (/[^\0-\x7f]/.test(podLogsDir)) {
    report(`pod logs path ${JSON.stringify(podLogsDir)} mut contains ASCII characters only`);
  }
  if (shown !== '' && shown !== previousMinor) {
    reportRaw(
      `invalid showHiddenMetricsForVersion: showHiddenMetricsForVersion: Invalid value: ${JSON.stringify(shown)}: must be omitted or have the value '${previousMinor}'; only the previous minor version is allowed`,
    );
  }
};

/** True for a path that Go's filepath.Clean does not change. */
function isClean(path: string): boolean {
  const normal = posix.normalize(path);
  const clean = normal.length > 1 ? normal.replace(/\/$/, '') : normal;
  return clean === path;
}
