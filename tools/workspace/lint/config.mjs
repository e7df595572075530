import nx from '@nx/eslint-plugin';
import { createProjectGraphAsync } from '@nx/devkit';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { boundaries } from './boundaries.mjs';
import * as safety from './safety.mjs';
import * as timeAndChance from './time-and-chance.mjs';

/** What runs in a browser: it has a browser's clock and timers. */
const pages = 'libs/node/console/default/pages/**/*.{ts,tsx}';
const specs = ['**/*.spec.ts', '**/src/**/fixtures/**'];

/** What ESLint alone can say of a workspace; the rest is oxlint's, see `.oxlintrc.json`. */
export async function lintConfig() {
  // The boundary rule does nothing, silently, when there is no cached project graph. So create one, and leave no daemon
  // running.
  Object.assign(process.env, { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' });
  await createProjectGraphAsync({ exitOnError: false });
  return defineConfig(
    {
      ignores: [
        '**/dist/**',
        '**/generated/**',
        '**/node_modules/**',
        '**/fixtures/broken-*/**',
        '.nx/**',
        '.cache/**',
      ],
    },
    { linterOptions: { reportUnusedDisableDirectives: 'error' } },
    {
      files: ['**/*.{ts,tsx,mts,mjs,cjs}'],
      languageOptions: { parser: tseslint.parser },
      plugins: { '@nx': nx, '@typescript-eslint': tseslint.plugin },
    },
    { files: ['**/*.{ts,tsx}'], rules: boundaries(false) },
    { files: ['apps/**/*.ts', 'examples/**/*.ts'], rules: restricted({ timeless: true }) },
    { files: ['libs/**/*.ts'], rules: restricted({ timeless: true, asynchronous: true }) },
    // Their disk does each operation at once, in the order of the calls.
    {
      files: ['libs/assembly/kubelet-assembly/src/simulation/stories/**/*.ts'],
      rules: restricted({ timeless: true }),
    },
    {
      files: ['libs/assembly/default/**/*.ts'],
      rules: restricted({ timeless: true, asynchronous: true, container: true }),
    },
    { files: ['libs/foundation/time/**/*.ts'], rules: restricted({ asynchronous: true }) },
    { files: ['tools/**/*.{ts,mjs}'], rules: restricted({}) },
    // A fuzzer feeds parsers that no package exports.
    { files: ['tools/fuzz/targets/**/*.ts'], rules: { '@nx/enforce-module-boundaries': 'off' } },
    { files: [pages], rules: { ...restricted({}), ...browserRules } },
    { files: specs, rules: { ...restricted({}), ...boundaries(true) } },
  );
}

/** Pages take types alone from the packages of the kubelet, and text alone into the document. */
const browserRules = {
  'no-restricted-syntax': [
    'error',
    ...safety.syntax,
    {
      selector:
        'JSXAttribute[name.name="dangerouslySetInnerHTML"], MemberExpression[property.name=/^(?:inner|outer)HTML$/]',
      message: 'Names from pods are text: give them to Preact as children.',
    },
  ],
  '@typescript-eslint/no-restricted-imports': [
    'error',
    {
      patterns: [
        { group: ['@podwright/*', 'node:*'], allowTypeImports: true, message: 'A page imports only types of it.' },
      ],
    },
  ],
};

/** A later flat-config entry replaces a rule's options, so each kind of file gets its complete list. */
function restricted({ timeless = false, asynchronous = false, container = false }) {
  const banned = timeless ? timeAndChance : { globals: [], properties: [], syntax: [], imports: [] };
  // 'error' alone would keep the options of the previous entry, so an empty list must be 'off'.
  return {
    'no-restricted-globals': timeless ? ['error', ...banned.globals] : 'off',
    'no-restricted-properties': timeless
      ? ['error', ...banned.properties, ...(asynchronous ? safety.properties : [])]
      : 'off',
    'no-restricted-syntax': [
      'error',
      ...safety.syntax,
      ...banned.syntax,
      ...(asynchronous ? safety.synchronousSyntax : []),
    ],
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        paths: [
          ...safety.imports,
          ...banned.imports,
          ...(asynchronous ? [safety.clientTypesOnly] : []),
          ...(container ? [] : safety.containerImports),
        ],
        patterns: asynchronous ? [safety.synchronousImports] : [],
      },
    ],
  };
}
