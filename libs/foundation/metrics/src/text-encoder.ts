import type { HistogramValue, MetricFamily, MetricPoint } from './metric-family.js';
import { escapeHelp, escapeLabel, formatFloat, formatOpenMetricsFloat } from './text-format.js';

/**
 * Encodes one family, piece by piece: HELP and TYPE come with the first point, and each piece ends in a line feed.
 * Nothing for a family without points.
 */
export type TextEncoder = (family: MetricFamily) => Iterable<string>;

/**
 * Encodes Prometheus text 0.0.4. Like Go's client, prints the counts of histograms as floats (`1e+06`).
 * Source: prometheus/common expfmt/text_create.go.
 */
export const encodePrometheusText: TextEncoder = (family) => {
  const { name, help, type } = family;
  return pieces(family, `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`, {
    float: formatFloat,
    count: formatFloat,
    time: (timestampMs) => String(Math.trunc(timestampMs)),
  });
};

/**
 * Encodes OpenMetrics text 1.0.0, without {@link openMetricsEnd}. HELP and TYPE name a counter without `_total`; a
 * counter whose name does not end in `_total` has the type `unknown`. Source: prometheus/common
 * expfmt/openmetrics_create.go.
 */
export const encodeOpenMetricsText: TextEncoder = (family) => {
  const { name, help, type } = family;
  const total = type === 'counter' && name.endsWith('_total');
  const shortName = total ? name.slice(0, -'_total'.length) : name;
  const shownType = type === 'counter' && !total ? 'unknown' : type;
  return pieces(family, `# HELP ${shortName} ${escapeLabel(help)}\n# TYPE ${shortName} ${shownType}\n`, {
    float: formatOpenMetricsFloat,
    count: String,
    time: (timestampMs) => formatOpenMetricsFloat(Math.trunc(timestampMs) / 1000),
  });
};

/** The last line of OpenMetrics text. */
export const openMetricsEnd = '# EOF\n';

interface NumberStyle {
  readonly float: (value: number) => string;
  readonly count: (value: number) => string;
  readonly time: (timestampMs: number) => string;
}

function* pieces(family: MetricFamily, head: string, style: NumberStyle): Iterable<string> {
  let before = head;
  // Cached, because all series of a histogram have the same bounds.
  const bounds = new Map<number, string>();
  const boundText = (bound: number): string => {
    const known = bounds.get(bound);
    if (known !== undefined) return known;
    const text = style.float(bound);
    bounds.set(bound, text);
    return text;
  };
  for (const point of family.points) {
    const { value } = point;
    const lines =
      typeof value === 'number'
        ? `${family.name}${braces(labelText(point))} ${style.float(value)}${stamp(point, style)}\n`
        : histogramLines(family.name, point, value, style, boundText);
    yield before + lines;
    before = '';
  }
}

function histogramLines(
  name: string,
  point: MetricPoint,
  { buckets, sum, count }: HistogramValue,
  style: NumberStyle,
  boundText: (bound: number) => string,
): string {
  const labels = labelText(point);
  const open = labels === '' ? '' : `${labels},`;
  const end = `${stamp(point, style)}\n`;
  let lines = '';
  for (const bucket of buckets) {
    lines += `${name}_bucket{${open}le="${boundText(bucket.upperBound)}"} ${style.count(bucket.count)}${end}`;
  }
  const plain = braces(labels);
  return `${lines}${name}_sum${plain} ${style.float(sum)}${end}${name}_count${plain} ${style.count(count)}${end}`;
}

function labelText({ labels }: MetricPoint): string {
  let text = '';
  for (const [name, value] of labels) text += `${text === '' ? '' : ','}${name}="${escapeLabel(value)}"`;
  return text;
}

function braces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function stamp({ timestampMs }: MetricPoint, style: NumberStyle): string {
  return timestampMs === undefined ? '' : ` ${style.time(timestampMs)}`;
}
