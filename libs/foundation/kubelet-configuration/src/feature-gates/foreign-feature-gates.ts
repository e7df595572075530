/**
 * Gates of other components. All components share one list upstream, and installers hand the same gates to each of them,
 * so a kubelet takes these without effect.
 */
export const foreignFeatureGates: ReadonlySet<string> = new Set(
  `
  `
    .trim()
    .split(/\s+/)
    .filter((name) => name !== ''),
);
