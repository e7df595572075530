import { createProjectGraphAsync } from '@nx/devkit';
import { readFileSync } from 'node:fs';
import { boundaries } from './boundaries.mjs';
import * as safety from './safety.mjs';
import * as timeAndChance from './time-and-chance.mjs';

/** What runs in a browser: it has a browser's clock and timers. */
const pages = 'libs/node/console/default/pages/**/*.{ts,tsx}';
const specs = ['**/*.spec.ts', '**/src/**/fixtures/**'];

/** What needs no knowledge of this repository; editors and `oxlint` without an option find it alone. */
const recommended = JSON.parse(readFileSync(new URL('../../../.oxlintrc.json', import.meta.url), 'utf8'));

export async function lintConfig() {
  // The boundary rule does nothing, silently, when there is no cached project graph. So create one, and leave no daemon
  // running.
  Object.assign(process.env, { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' });
  await createProjectGraphAsync({ exitOnError: false });
  return {
    ...recommended,
    options: { ...recommended.options, reportUnusedDisableDirectives: 'error' },
    jsPlugins: [
      { name: '@nx', specifier: '@nx/eslint-plugin' },
      // oxlint itself has no `no-restricted-syntax`.
      { name: 'eslint-js', specifier: 'oxlint-plugin-eslint' },
    ],
    overrides: [
      ...recommended.overrides,
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
    ],
  };
}

/** Pages take types alone from the packages of the kubelet, and text alone into the document. */
const browserRules = {
  'eslint-js/no-restricted-syntax': [
    'error',
    ...safety.syntax,
    {
      selector:
        'JSXAttribute[name.name="dangerouslySetInnerHTML"], MemberExpression[property.name=/^(?:inner|outer)HTML$/]',
      message: 'Names from pods are text: give them to Preact as children.',
    },
  ],
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        { group: ['@podwright/*', 'node:*'], allowTypeImports: true, message: 'A page imports only types of it.' },
      ],
    },
  ],
};

/** A later override replaces a rule's options, so each kind of file gets its complete list. */
function restricted({ timeless = false, asynchronous = false, container = false }) {
  const banned = timeless ? timeAndChance : { globals: [], properties: [], syntax: [], imports: [] };
  // 'error' alone would keep the options of the previous entry, so an empty list must be 'off'.
  return {
    'no-restricted-globals': timeless ? ['error', ...banned.globals] : 'off',
    'no-restricted-properties': timeless
      ? ['error', ...banned.properties, ...(asynchronous ? safety.properties : [])]
      : 'off',
    'eslint-js/no-restricted-syntax': [
      'error',
      ...safety.syntax,
      ...banned.syntax,
      ...(asynchronous ? safety.synchronousSyntax : []),
    ],
    'no-restricted-imports': [
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
