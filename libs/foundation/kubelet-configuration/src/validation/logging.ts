import { tryParseQuantity } from '@podwright/kube-types';
import { parseGoNanoseconds } from '@podwright/time';
import type { LogFormatOptions } from '../kubelet-configuration.js';
import type { Rule, RuleContext } from './rule.js';

const maxVerbosity = 2 ** 31 - 1;
const maxSamplingRate = 1_000_000;
const tracingSchemes = ['dns', 'unix', 'unix-abstract'];

/** `logging`, checked as by component-base, whose messages are field errors. */
export const loggingRules: Rule = ({ logging }, context) => {
  const { format, flushFrequency, verbosity, vmodule, options } = logging;
  const { gates, reportRaw } = context;
  if (parseGoNanoseconds(flushFrequency) <= 0n) {
    reportRaw(`logging.flushFrequency: Invalid value: ${JSON.stringify(flushFrequency)}: Must be greater than zero`);
  }
  if (format !== 'text' && format !== 'json') {
    reportRaw(`logging.format: Invalid value: ${JSON.stringify(format)}: Unsupported log format`);
  }
  if (format === 'json' && !gates.enabled('LoggingBetaOptions')) {
    reportRaw('logging.format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature');
  }
  if (verbosity > maxVerbosity || verbosity < 0) {
    reportRaw(`logging.verbosity: Invalid value: ${verbosity}: Must be <= ${maxVerbosity}`);
  }
  if (vmodule.length > 0 && format !== 'text') {
    reportRaw('logging.vmodule: Forbidden: Only supported for text log format');
  }
  vmodule.forEach(({ filePattern, verbosity: level }, index) => {
    const field = `logging.vmodule[${index}]`;
    if (filePattern === '') reportRaw(`${field}: Required value: File pattern must not be empty`);
    if (/[=,]/.test(filePattern)) {
      reportRaw(
        `${field}: Invalid value: ${JSON.stringify(filePattern)}: File pattern must not contain equal sign or comma`,
      );
    }
    if (level > maxVerbosity) reportRaw(`${field}: Invalid value: ${level}: Must be <= ${maxVerbosity}`);
  });
  validateOptions(options.text, 'logging.options.text', context);
  validateOptions(options.json, 'logging.options.json', context);
};

function validateOptions(options: LogFormatOptions, field: string, { gates, reportRaw }: RuleContext): void {
  if (gates.enabled('LoggingAlphaOptions')) return;
  const detail = 'Feature LoggingAlphaOptions is disabled';
  if (options.splitStream) reportRaw(`${field}.splitStream: Forbidden: ${detail}`);
  if (tryParseQuantity(options.infoBufferSize)?.nano !== 0n) reportRaw(`${field}.infoBufferSize: Forbidden: ${detail}`);
}

export const tracingRules: Rule = ({ tracing }, { reportRaw }) => {
  const { endpoint, samplingRatePerMillion: rate } = tracing ?? {};
  if (rate !== undefined && rate < 0) {
    reportRaw(`tracing.samplingRatePerMillion: Invalid value: ${rate}: sampling rate must be positive`);
  }
  if (rate !== undefined && rate > maxSamplingRate) {
    reportRaw(
      `tracing.samplingRatePerMillion: Invalid value: ${rate}: sampling rate per million must be less than or equal to one million`,
    );
  }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(endpoint ?? '')?.[1];
  const bare = scheme ?? /^(dns|unix|unix-abstract):/.exec(endpoint ?? '')?.[1];
  if (bare !== undefined && !tracingSchemes.includes(bare)) {
    reportRaw(
      `tracing.endpoint: Invalid value: ${JSON.stringify(endpoint)}: unsupported scheme: ${bare}.  Options are none, dns, unix, or unix-abstract`,
    );
  }
};
