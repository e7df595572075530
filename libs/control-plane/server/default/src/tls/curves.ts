/** OpenSSL's curve names by Go's tls.CurveID. */
const curves: Readonly<Record<number, string>> = {
  23: 'P-256',
  24: 'P-384',
  25: 'P-521',
  29: 'X25519',
  4587: 'SecP256r1MLKEM768',
  4588: 'X25519MLKEM768',
  4589: 'SecP384r1MLKEM1024',
};
const hybrid: ReadonlySet<number> = new Set([4587, 4588, 4589]);

/**
 * Why a list of curves cannot be used; undefined when it can. Source: kubernetes v1.36
 * component-base/cli/flag/curves_flag.go.
 */
export function curvesProblem(ids: readonly number[]): string | undefined {
  for (const [index, id] of ids.entries()) {
    if (id <= 0 || id > 65_535) return `curve preference ${id} is out of range (must be 1-65535)`;
    if (ids.indexOf(id) !== index) return `duplicate curve preference ${id}`;
    if (curves[id] === undefined) return `curve preference ${id} is not supported`;
  }
  return undefined;
}

/** OpenSSL's curve list; `auto` for an empty list. Leaves hybrid curves out before OpenSSL 3.5, which added them. */
export function openSslCurves(ids: readonly number[], openSslVersion = process.versions.openssl): string {
  const [major = 0, minor = 0] = openSslVersion.split('.').map(Number);
  const hasHybrid = major > 3 || (major === 3 && minor >= 5);
  const names = ids.filter((id) => hasHybrid || !hybrid.has(id)).flatMap((id) => curves[id] ?? []);
  return names.length === 0 ? 'auto' : names.join(':');
}
