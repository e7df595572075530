// The environment of all specs: a failed case names the flight recordings of its nodes.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { recordingsDir } from './kept-recordings.mjs';
import { SharedEnvironment } from './shared-environment.mjs';

/**
 * @typedef {object} RecordedNode A node that a case uses. Whoever starts one adds it to the set that is a member of
 *   `globalThis` under {@link recordedNodes}.
 * @property {string} name
 * @property {string} program The command that runs its program.
 * @property {boolean} ended True: the case has ended it, and the next case no longer names it.
 * @property {(dir: string, failedAtMs: number) => Promise<string | undefined>} keep Writes what is recorded below `dir`.
 *   Resolves with the file or directory for `replay`; undefined when nothing is recorded.
 */
const recordedNodes = Symbol.for('podwright.recorded-nodes');

export default class RecordingEnvironment extends SharedEnvironment {
  /** @type {Set<RecordedNode>} */
  #nodes = new Set();
  #spec;
  #failures = 0;
  /** The case, or the block of a hook, whose error names recordings already. */
  #told;

  constructor(config, context) {
    super(config, context);
    this.#spec = path.basename(context.testPath).replace(/(\.[a-z-]+)?\.spec\.ts$/, '');
    this.global[recordedNodes] = this.#nodes;
  }

  /** jest-circus awaits it. The error of a case comes before the hooks that end its nodes. */
  async handleTestEvent({ name, test, describeBlock, error }) {
    if (name === 'test_start') for (const node of this.#nodes) if (node.ended) this.#nodes.delete(node);
    if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
    const failed = test ?? describeBlock;
    // What a hook finds wrong afterwards has the same cause.
    if (this.#nodes.size === 0 || this.#told === failed || typeof error?.message !== 'string') return;
    this.#told = failed;
    append(error, await this.#recordings(Date.now()));
  }

  async #recordings(failedAtMs) {
    const dir = path.join(recordingsDir(), `${this.#spec}-${process.pid}-${++this.#failures}`);
    const texts = await Promise.all(
      [...this.#nodes].map(async (node, index) => {
        const place = path.join(dir, index === 0 ? node.name : `${node.name}-${index + 1}`);
        try {
          await mkdir(place, { recursive: true });
          const kept = await node.keep(place, failedAtMs);
          if (kept === undefined) return `${node.name} has recorded nothing`;
          return `what led to it on ${node.name}: ${node.program} replay ${shortest(kept)} --all`;
        } catch (thrown) {
          // The error of the case must not get lost behind this one.
          return `the recording of ${node.name} could not be kept: ${String(thrown)}`;
        }
      }),
    );
    return texts.join('\n');
  }
}

const shortest = (file) => {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
};

function append(error, text) {
  const { message, stack } = error;
  error.message = `${message}\n\n${text}`;
  // Reports print the stack, which has begun with the message since the error was made.
  if (typeof stack === 'string') error.stack = stack.replace(message, () => error.message);
}
