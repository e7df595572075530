/** A number as Go prints it in the exposition format (shortest %g): `0.005`, `1`, `1e+06`, `+Inf`, `NaN`. */
export function formatFloat(value: number): string {
  // Most values are small whole numbers; `+ 0` makes 0 of -0.
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value + 0);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  // Both languages print the shortest digits that read back as the same number; they differ in the exponent's form.
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** As {@link formatFloat}, but whole numbers have a point, `1.0`, which marks floats in OpenMetrics. */
export function formatOpenMetricsFloat(value: number): string {
  const text = formatFloat(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Escapes a help text for the Prometheus text format. */
export function escapeHelp(help: string): string {
  return /[\\\n]/.test(help) ? help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n') : help;
}

/** Escapes a label value, or a help text of OpenMetrics. */
export function escapeLabel(value: string): string {
  return /[\\\n"]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"') : value;
}
