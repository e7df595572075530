// One configuration for all packages. Specs run as CommonJS through swc, straight from the sources of
// every workspace package (condition `podwright-source`), so that no build has to precede a test.
export default {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{apps,libs,tools,examples}/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '/dist/'],
  testEnvironmentOptions: { customExportConditions: ['podwright-source', 'node', 'require', 'default'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  setupFiles: ['reflect-metadata'],
};
