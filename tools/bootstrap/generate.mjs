import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './install.mjs';

const codegenEntry = 'tools/codegen/main.ts';
// One output file of each target; they are written together. `npm run generate` and `npm test` pick up a changed .proto
// file or page.
const outputs = [
  'libs/runtime/cri-client/interface/src/generated/runtime.ts',
  'libs/runtime/cri-client/default/src/generated/client-codecs.ts',
  'libs/resources/pod-resources/interface/src/generated/podresources.ts',
  'libs/resources/pod-resources/default/src/generated/server-codecs.ts',
  'libs/resources/device-manager/interface/src/generated/deviceplugin.ts',
  'libs/resources/device-manager/default/src/generated/client-codecs.ts',
  'libs/resources/plugin-watcher/interface/src/generated/pluginregistration.ts',
  'libs/resources/plugin-watcher/default/src/generated/client-codecs.ts',
  'libs/testing/test-device-plugin/src/generated/device-plugin-server-codecs.ts',
  'libs/testing/test-csi-driver/src/generated/node-server-codecs.ts',
  'libs/node/console/default/src/generated/console-pages.ts',
];

/** Generates what is not committed when it is missing: nothing can be bundled without it. */
export function ensureGenerated(entry) {
  if (path.normalize(entry) === path.normalize(codegenEntry)) return;
  if (outputs.every((file) => existsSync(path.join(repositoryRoot, file)))) return;
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'run.mjs'), codegenEntry], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.error('the code that is not committed could not be generated; the reason is above');
    process.exit(status ?? 1);
  }
}
