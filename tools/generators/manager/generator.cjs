// Nx loads generators with require(); ours is TypeScript, so it goes through the same bundler as every other tool.
module.exports = async (tree, options) => {
  const { bundleEntry } = await import('../../bootstrap/bundle.mjs');
  const { managerGenerator } = await import(await bundleEntry('tools/generators/manager/manager-generator.ts'));
  return managerGenerator(tree, options);
};
