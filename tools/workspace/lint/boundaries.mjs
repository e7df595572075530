// The dependency rule of the design: app -> assembly -> impl -> interface -> foundation. The tags come from
// `podwright.type` in each package.json; ../nx-plugin.mjs passes them to Nx.
const constraints = {
  app: ['assembly', 'impl', 'interface', 'foundation', 'testing'],
  // Puts implementations together for apps. To run without a container runtime it uses testing packages such as
  // simulated-runtime.
  // One assembly may be made of another, as many nodes of one.
  assembly: ['assembly', 'impl', 'interface', 'foundation', 'testing'],
  impl: ['interface', 'foundation'],
  interface: ['interface', 'foundation'],
  foundation: ['foundation'],
  // A testing package may assemble implementations for other packages' specs, as test-cluster does.
  testing: ['impl', 'interface', 'foundation', 'testing'],
  tool: ['app', 'assembly', 'impl', 'interface', 'foundation', 'testing', 'tool'],
};

/** @param {boolean} specs true for specs, which may also use testing packages */
export function boundaries(specs) {
  const rule = {
    enforceBuildableLibDependency: false,
    allow: [],
    depConstraints: Object.entries(constraints).map(([source, targets]) => ({
      sourceTag: `type:${source}`,
      onlyDependOnLibsWithTags: [...targets, ...(specs ? ['testing'] : [])].map((target) => `type:${target}`),
    })),
  };
  return { '@nx/enforce-module-boundaries': ['error', rule] };
}
