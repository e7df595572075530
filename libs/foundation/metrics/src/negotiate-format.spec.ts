import { describe, expect, it } from '@jest/globals';
import { negotiateFormat } from './negotiate-format.js';

const protobuf = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
const text = 'text/plain; version=0.0.4; charset=utf-8';
const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

describe('negotiateFormat', () => {
  it.each<[string | undefined, string, string]>([
    [undefined, 'text', `${text}; escaping=underscores`],
    ['', 'text', `${text}; escaping=underscores`],
    ['*/*', 'text', `${text}; escaping=underscores`],
    ['*', 'text', `${text}; escaping=underscores`],
    ['text/plain', 'text', `${text}; escaping=underscores`],
    ['application/json', 'text', `${text}; escaping=underscores`],
    ['application/openmetrics-text;version=1.0.0', 'openmetrics', `${openMetrics}; escaping=underscores`],
    [
      'application/openmetrics-text',
      'openmetrics',
      'application/openmetrics-text; version=0.0.1; charset=utf-8; escaping=underscores',
    ],
    ['application/openmetrics-text;version=2.0.0', 'text', `${text}; escaping=underscores`],
    [protobuf.replaceAll(' ', ''), 'protobuf', `${protobuf}; escaping=underscores`],
    ['application/vnd.google.protobuf', 'text', `${text}; escaping=underscores`],
    [protobuf.replace('delimited', 'text'), 'text', `${text}; escaping=underscores`],
    // What Prometheus 2 and 3 send, without and with protobuf.
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
      `${openMetrics}; escaping=underscores`,
    ],
    [
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      'openmetrics',
      `${openMetrics}; escaping=allow-utf-8`,
    ],
    [
      'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;escaping=allow-utf-8;q=0.7,application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      'protobuf',
      `${protobuf}; escaping=allow-utf-8`,
    ],
    // The best quality first; equal ones as they come; a wildcard after what is named.
    [
      'text/plain;q=0.2, application/openmetrics-text;version=1.0.0;q=0.3',
      'openmetrics',
      `${openMetrics}; escaping=underscores`,
    ],
    ['text/plain, application/openmetrics-text;version=1.0.0', 'text', `${text}; escaping=underscores`],
    ['application/openmetrics-text;version=1.0.0;q=x, text/plain;q=0.1', 'text', `${text}; escaping=underscores`],
    // An escaping stays in force for the clauses after it, an unknown one is none.
    ['application/json;escaping=dots, text/plain;q=0.5', 'text', `${text}; escaping=dots`],
    ['text/plain;escaping=rot13', 'text', `${text}; escaping=underscores`],
    // Broken clauses.
    [
      'text, /, a/b/c, ;;;, text/plain;q, application/openmetrics-text;version=1.0.0=1',
      'text',
      `${text}; escaping=underscores`,
    ],
  ])('answers %p with %s', (accept, format, contentType) => {
    expect(negotiateFormat(accept)).toEqual({ format, contentType });
  });

  it('looks at a bounded number of clauses', () => {
    const accept = `${'a/b,'.repeat(64)}application/openmetrics-text;version=1.0.0`;
    expect(negotiateFormat(accept).format).toBe('text');
  });
});
