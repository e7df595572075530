const swapped: Readonly<Record<string, string>> = { '.': '/', '/': '.' };

/**
 * Name with dots between its parts. A name whose first separator is a slash has slashes for dots and dots for slashes
 * (`net/ipv4/conf/eth0.1/x`). Source: kubernetes v1.36 component-helpers/node/util/sysctl/namespace.go.
 */
export function dottedSysctl(name: string): string {
  return /^[^./]*\//.test(name) ? name.replace(/[./]/g, (separator) => swapped[separator] ?? separator) : name;
}
