import { acceptClauses } from './accept-clauses.js';
import type { MetricsFormat } from './metric-family.js';

export interface NegotiatedFormat {
  readonly format: MetricsFormat;
  /** The Content-Type header of the answer, with the escaping of names that the client asked for. */
  readonly contentType: string;
}

const escapings: ReadonlySet<string> = new Set(['allow-utf-8', 'underscores', 'dots', 'values']);
const protobufType = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';

/**
 * Chooses the format for a client's Accept header; text 0.0.4 when it accepts none of the formats. The debugging
 * formats of Go's library (protobuf as text) are not supported.
 * Source: prometheus/common v0.66 expfmt/encode.go NegotiateIncludingOpenMetrics.
 */
export function negotiateFormat(accept: string | undefined): NegotiatedFormat {
  // No metric name here needs escaping, so the answer only has to name the escaping.
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
