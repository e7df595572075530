const swapped: Readonly<Record<string, string>> = { '.': '/', '/': '.' };

/**
 * The name with dots as separators. If the first separator is a slash, slashes and dots are swapped
 * (`net/ipv4/conf/eth0.1/x`). Source: kubernetes v1.36 component-helpers/node/util/sysctl/namespace.go.
 */
export function dottedSysctl(name: string): string {
  return /^[^./]*\//.test(name) ? name.replace(/[./]/g, (separator) => swapped[separator] ?? separator) : name;
}
