import { acceptClauses } from './accept-clauses.js';
import type { MetricsFormat } from './metric-family.js';

export interface NegotiatedFormat {
  readonly format: MetricsFormat;
  /** The header of the answer, with the way of escaping names that the client asked for. */
  readonly contentType: string;
}

const escapings: ReadonlySet<string> = new Set(['allow-utf-8', 'underscores', 'dots', 'values']);
const protobufType = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';

/**
 * The format that a client's Accept header asks for; text 0.0.4 when it asks for none that there is. The debugging formats of
 * Go's library (protobuf as text) are none. Source: prometheus/common v0.66 expfmt/encode.go NegotiateIncludingOpenMetrics.
 */
export function negotiateFormat(accept: string | undefined): NegotiatedFormat {
  // No name here needs escaping, so that it only has to be agreed upon.
  let escaping = 'underscores';
  for (const { mediaType, parameters } of acceptClauses(accept ?? '')) {
    const wanted = parameters.get('escaping');
    if (wanted !== undefined && escapings.has(wanted)) escaping = wanted;
    const version = parameters.get('version') ?? '';
    if (mediaType === 'application/vnd.google.protobuf') {
      const known = parameters.get('proto') === 'io.prometheus.client.MetricFamily';
      if (!known || parameters.get('encoding') !== 'delimited') continue;
      return { format: 'protobuf', contentType: `${protobufType}; escaping=${escaping}` };
    }
    if (mediaType === 'text/plain' && ['0.0.4', ''].includes(version)) return plainText(escaping);
    if (mediaType === 'application/openmetrics-text' && ['0.0.1', '1.0.0', ''].includes(version)) {
      const spoken = version === '1.0.0' ? version : '0.0.1';
      return {
        format: 'openmetrics',
        contentType: `application/openmetrics-text; version=${spoken}; charset=utf-8; escaping=${escaping}`,
      };
    }
  }
  return plainText(escaping);
}

function plainText(escaping: string): NegotiatedFormat {
  return { format: 'text', contentType: `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}` };
}
