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
  if (endpoint === undefined) return;
  const url = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  const fault = endpointFault(url);
  if (fault !== undefined) reportRaw(`tracing.endpoint: Invalid value: ${JSON.stringify(url)}: ${fault}`);
};

/** In the words of Go's net/url and of component-base. */
function endpointFault(url: string): string | undefined {
  const parsing = `parse ${JSON.stringify(url)}: `;
  if (/[\0-\x1f\x7f]/.test(url)) return `${parsing}net/url: invalid control character in URL`;
  const [, scheme = '', authority = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?/.exec(url) ?? [];
  const host = authority.replace(/^.*@/, '');
  const escape = /%(?![\da-fA-F]{2}).{0,2}/.exec(host)?.[0];
  if (escape !== undefined) return `${parsing}invalid URL escape ${JSON.stringify(escape)}`;
  if (host.startsWith('[') && !host.includes(']')) return `${parsing}missing ']' in host`;
  const [port] = /:[^:\]]*$/.exec(host) ?? [];
  if (port !== undefined && !/^:\d*$/.test(port)) return `${parsing}invalid port ${JSON.stringify(port)} after host`;
  const character = /[ \\^`{|}]/.exec(host)?.[0];
  if (character !== undefined) return `${parsing}invalid character ${JSON.stringify(character)} in host name`;
  if (tracingSchemes.includes(scheme.toLowerCase())) return undefined;
  const page = 'https://github.com/grpc/grpc/blob/master/doc/naming.md';
  return `unsupported scheme: ${scheme.toLowerCase()}.  Options are none, dns, unix, or unix-abstract.  See ${page}`;
}
