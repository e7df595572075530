import { diskUsageWorker } from './disk-usage-worker.js';

/**
 * The thread's code as text, because the kubelet is bundled into one file and tests have no built file. A bundler that
 * keeps names wraps inner functions in a helper (`__name`), which the text has to define as well.
 */
export function diskUsageWorkerSource(): string {
  const body = diskUsageWorker.toString();
  const helpers = [...new Set(body.match(/\b__name\d*\b/g))].map((name) => `const ${name} = (value) => value;`);
  return [
    "'use strict';",
    ...helpers,
    `(${body})(require('node:worker_threads').parentPort, require('node:fs'));`,
  ].join('\n');
}
