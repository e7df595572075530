/**
 * A syntax rule for names. It returns the faults in upstream's words; none when the name is valid.
 * Source: kubernetes v1.36 apimachinery pkg/util/validation/validation.go.
 */
export type NameRule = (value: string) => readonly string[];

const dnsLabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomainFormat = `${dnsLabelFormat}(\\.${dnsLabelFormat})*`;
const qualifiedNameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const dns1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?';
const configKeyFormat = '[-._a-zA-Z0-9]+';
const httpHeaderFormat = '[-A-Za-z0-9]+';
const relaxedEnvFormat = '[ -<>-~]+';

/** `must be no more than 63 bytes` */
export function maxLengthMessage(length: number): string {
  return `must be no more than ${length} bytes`;
}

/** `must be between 1 and 65535, inclusive` */
export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

function syntaxMessage(rule: string, format: string, ...examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (${examples.length > 0 ? `e.g. ${list}` : ''}regex used for validation is '${format}')`;
}

interface Syntax {
  readonly format: string;
  readonly message: string;
  readonly examples: readonly string[];
  readonly maxLength?: number;
}

/** Makes a rule of a regular expression, upstream's message and examples, and a limit in bytes. */
function syntaxRule({ format, message, examples, maxLength }: Syntax): NameRule {
  const pattern = new RegExp(`^${format}$`);
  const mismatch = syntaxMessage(message, format, ...examples);
  return (value) => [
    ...(maxLength !== undefined && Buffer.byteLength(value) > maxLength ? [maxLengthMessage(maxLength)] : []),
    // Names are short; the bound keeps a hostile one from costing time in the regular expression.
    ...(value.length <= 4096 && pattern.test(value) ? [] : [mismatch]),
  ];
}

/** Lower-case RFC 1123 label of at most 63 bytes: container, volume and namespace names. */
export const dns1123Label = syntaxRule({
  format: dnsLabelFormat,
  message:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
  maxLength: 63,
});

/** Lower-case RFC 1123 subdomain of at most 253 bytes: pod, secret and config map names. */
export const dns1123Subdomain = syntaxRule({
  format: dnsSubdomainFormat,
  message:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  maxLength: 253,
});

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
});

/** Name of an environment variable in the relaxed form: printable ASCII without `=`. */
export const envVarName = syntaxRule({
  format: relaxedEnvFormat,
  message: "a valid environment variable name must consist only of printable ASCII characters other than '='",
  examples: [],
});

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

/** `[prefix/]name`: label keys, annotation keys, resource names. */
export function qualifiedName(value: string): readonly string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${qualifiedNameMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const faults: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') faults.push('prefix part must be non-empty');
    else faults.push(...dns1123Subdomain(prefix).map((fault) => `prefix part ${fault}`));
  }
  if (name === '') faults.push('name part must be non-empty');
  else if (name.length > 63) faults.push(`name part ${maxLengthMessage(63)}`);
  if (!qualifiedNamePattern.test(name.slice(0, 64))) faults.push(`name part ${qualifiedNameMessage}`);
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
