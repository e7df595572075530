import { diskUsageWorker } from './disk-usage-worker.js';

/**
 * The thread as text, so that it needs no file of its own: the kubelet is one file, and under test there is no built one. A
 * bundler that keeps names wraps inner functions in a helper (`__name`) of the bundle's top, which the text has to bring along.
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
