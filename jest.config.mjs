import path from 'node:path';

// One configuration for all packages. Specs run as CommonJS through swc, straight from the sources of
// every workspace package (condition `podwright-source`), so that no build has to precede a test.
// TEST_TIER (set by tools/test) limits a run to the specs of one tier: unit, simulation, integration or node-vm.
const tiers = {
  unit: '!(*.simulation|*.integration|*.node-vm).spec.ts',
  simulation: '*.simulation.spec.ts',
  integration: '*.integration.spec.ts',
  'node-vm': '*.node-vm.spec.ts',
};

export default {
  rootDir: import.meta.dirname,
  // Not from rootDir: a configuration that extends this one may have another.
  globalSetup: path.join(import.meta.dirname, 'tools/test/kept-recordings.mjs'),
  testEnvironment: path.join(import.meta.dirname, 'tools/test/recording-environment.mjs'),
  runtime: path.join(import.meta.dirname, 'tools/test/shared-runtime.mjs'),
  testMatch: [`<rootDir>/{apps,libs,tools,examples}/**/${tiers[process.env.TEST_TIER] ?? '*.spec.ts'}`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '/dist/'],
  testEnvironmentOptions: { customExportConditions: ['podwright-source', 'node', 'require', 'default'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // It has ES modules only.
    '^cborg$': '<rootDir>/node_modules/cborg/cborg.js',
  },
  transformIgnorePatterns: ['/node_modules/(?!cborg/)'],
  transform: {
    '\\.ts$|/cborg/.*\\.js$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Specs wait for conditions on a clock of their own; how long that takes on a busy machine says nothing. So this only
  // ends a case that hangs.
  testTimeout: 180_000,
};
