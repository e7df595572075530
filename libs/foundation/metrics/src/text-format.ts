import type { Labels } from './metrics-registry.js';

/** A number as Go prints it in the exposition format (shortest %g): `0.005`, `1`, `1e+06`, `+Inf`, `NaN`. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  // Both languages print the shortest digits that read back as the same number; they differ in the exponent's form.
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

export function formatHelp(name: string, stability: string, help: string): string {
  return `# HELP ${name} [${stability}] ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`;
}

/** `{a="x",b="y"}`, sorted by label name as Go's client does; the empty string without labels. */
export function formatLabels(labels: Labels): string {
  const names = Object.keys(labels).sort();
  return names.length === 0 ? '' : `{${names.map((name) => `${name}="${escapeLabel(labels[name] ?? '')}"`).join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
