/** The Kubernetes release that this kubelet is compatible with. */
export const kubernetesVersion = 'v1.36.0';

/**
 * Checks a version that `--version` makes the kubelet report: only what follows major, minor and patch may differ.
 * Source: kubernetes v1.36 component-base/version/dynamic.go, apimachinery/pkg/util/version ParseSemantic.
 * @throws Error in upstream's words.
 */
export function parseReportedVersion(text: string): string {
  if (text === kubernetesVersion) return text;
  if (coreOf(text) === coreOf(kubernetesVersion)) return text;
  const wanted = `default version ${JSON.stringify(kubernetesVersion)}`;
  throw new Error(`version ${JSON.stringify(text)} must match major/minor/patch of ${wanted}`);
}

/** Major, minor and patch of a semantic version. */
function coreOf(text: string): string {
  const quoted = JSON.stringify(text);
  const [, core, extra = ''] = /^\s*v?(\d+(?:\.\d+)*)(.*)$/.exec(text) ?? [];
  if (core === undefined) throw new Error(`could not parse ${quoted} as version`);
  const components = core.split('.');
  if (components.length !== 3) throw new Error(`illegal version string ${quoted}`);
  for (const component of components) {
    refuseZeroPrefix(component, quoted);
    if (BigInt(component) >= 2n ** 64n) {
      const cause = `strconv.ParseUint: parsing "${component}": value out of range`;
      throw new Error(`illegal non-numeric version component "${component}" in ${quoted}: ${cause}`);
    }
  }
  const match = /^(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?\s*$/.exec(extra);
  if (match === null) throw new Error(`could not parse pre-release/metadata (${extra}) in version ${quoted}`);
  for (const identifier of (match[1] ?? '').split('.')) {
    if (/^\d+$/.test(identifier) && BigInt(identifier) < 2n ** 64n) refuseZeroPrefix(identifier, quoted);
  }
  return core;
}

function refuseZeroPrefix(component: string, quoted: string): void {
  if (component.startsWith('0') && component !== '0')
    throw new Error(`illegal zero-prefixed version component "${component}" in ${quoted}`);
}
