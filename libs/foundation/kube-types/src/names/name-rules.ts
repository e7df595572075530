/**
 * A syntax rule for names. It returns the faults in upstream's words; none when the name is valid.
 * Source: kubernetes v1.36 apimachinery pkg/util/validation/validation.go and pkg/api/validate/content, which has the rules
 * of labels.
 */
export type NameRule = (value: string) => readonly string[];

const dnsLabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomainFormat = `${dnsLabelFormat}(\\.${dnsLabelFormat})*`;
const qualifiedNameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const dns1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?';
const configKeyFormat = '[-._a-zA-Z0-9]+';
const httpHeaderFormat = '[-A-Za-z0-9]+';

/** Upstream counts bytes in either case, and names them in its rules of labels. */
type LengthUnit = 'characters' | 'bytes';

/** `must be no more than 63 characters` */
export function maxLengthMessage(length: number, unit: LengthUnit = 'characters'): string {
  return `must be no more than ${length} ${unit}`;
}

/** `must be between 1 and 65535, inclusive` */
export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

function syntaxMessage(rule: string, format: string, ...examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (${examples.length > 0 ? `e.g. ${list}` : ''}regex used for validation is '${format}')`;
}

/** Names are short; the bound keeps a hostile one from costing time in the regular expression. */
const longestTested = 4096;

interface Syntax {
  readonly format: string;
  readonly message: string;
  readonly examples: readonly string[];
  readonly maxLength?: number;
  readonly unit?: LengthUnit;
}

/** Makes a rule of a regular expression, upstream's message and examples, and a limit in bytes. */
function syntaxRule({ format, message, examples, maxLength, unit }: Syntax): NameRule {
  const pattern = new RegExp(`^${format}$`);
  const mismatch = syntaxMessage(message, format, ...examples);
  return (value) => [
    ...(maxLength !== undefined && Buffer.byteLength(value) > maxLength ? [maxLengthMessage(maxLength, unit)] : []),
    ...(value.length <= longestTested && pattern.test(value) ? [] : [mismatch]),
  ];
}

const labelSyntax = syntaxRule({
  format: dnsLabelFormat,
  message:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
  maxLength: 63,
});

const subdomain: Syntax = {
  format: dnsSubdomainFormat,
  message:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  maxLength: 253,
};

/** Lower-case RFC 1123 subdomain of at most 253 bytes: pod, secret and config map names. */
export const dns1123Subdomain = syntaxRule(subdomain);

const subdomainPattern = new RegExp(`^${dnsSubdomainFormat}$`);

/** Lower-case RFC 1123 label of at most 63 bytes: container, volume and namespace names. */
export function dns1123Label(value: string): readonly string[] {
  const isDotted = value.includes('.') && value.length <= longestTested && subdomainPattern.test(value);
  return isDotted ? [...labelSyntax(value).slice(0, -1), 'must not contain dots'] : labelSyntax(value);
}

/** RFC 1035 label: names of services. */
export const dns1035Label = syntaxRule({
  format: dns1035Format,
  message:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
  maxLength: 63,
});

/** Label value: empty, or at most 63 bytes of qualified-name characters. */
export const labelValue = syntaxRule({
  format: `(${qualifiedNameFormat})?`,
  message:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
  maxLength: 63,
  unit: 'bytes',
});

/** Name of an environment variable in the relaxed form: printable ASCII without `=`. */
export function envVarName(value: string): readonly string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  if (/^[ -<>-~]+$/.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export const httpHeaderName = syntaxRule({
  format: httpHeaderFormat,
  message: "a valid HTTP header must consist of alphanumeric characters or '-'",
  examples: ['X-Header-Name'],
});

const configKeySyntax = syntaxRule({
  format: configKeyFormat,
  message: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
  maxLength: 253,
});

/**
 * Key of a config map or secret. Keys become file names, so `.`, `..` and everything that begins with `..` is a fault.
 */
export function configMapKey(value: string): readonly string[] {
  const walks =
    value === '.' || value === '..'
      ? [`must not be '${value}'`]
      : value.startsWith('..')
        ? ["must not start with '..'"]
        : [];
  return [...configKeySyntax(value), ...walks];
}

const qualifiedNameMessage = syntaxMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualifiedNameFormat,
  'MyName',
  'my.name',
  '123-abc',
);
const qualifiedNamePattern = new RegExp(`^${qualifiedNameFormat}$`);
const labelKeyPrefix = syntaxRule({ ...subdomain, unit: 'bytes' });

/** `[prefix/]name`: label keys, annotation keys, resource names. */
export function qualifiedName(value: string): readonly string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${qualifiedNameMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const faults: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') faults.push('prefix part must be non-empty');
    else faults.push(...labelKeyPrefix(prefix).map((fault) => `prefix part ${fault}`));
  }
  if (name === '') faults.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > 63) faults.push(`name part ${maxLengthMessage(63, 'bytes')}`);
  if (name.length > longestTested || !qualifiedNamePattern.test(name)) faults.push(`name part ${qualifiedNameMessage}`);
  return faults;
}

/** Name of a container port: at most 15 lower-case letters, digits and hyphens, with at least one letter. */
export function portName(value: string): readonly string[] {
  const faults: string[] = [];
  if (value.length > 15) faults.push(maxLengthMessage(15));
  if (!/^[-a-z0-9]+$/.test(value))
    faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) faults.push('must contain at least one letter (a-z)');
  if (value.includes('--')) faults.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
}

/** A port number, 1..65535. */
export function portNumber(port: number): readonly string[] {
  return Number.isInteger(port) && port >= 1 && port <= 65535 ? [] : [rangeMessage(1, 65535)];
}
