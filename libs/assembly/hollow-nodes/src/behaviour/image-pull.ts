import type { SimulatedImage } from '@podwright/simulated-runtime';
import type { Choices } from './choices.js';
import type { ImageRule } from './hollow-behaviour.js';
import { matchesPattern } from './pattern.js';
import { draw } from './spread.js';

// More pulls than anybody waits for.
const mostFailures = 1_000;

/** How a node pulls an image: the first rule that matches counts. */
export function imagePull(
  rules: readonly ImageRule[],
  node: string,
  reference: string,
  choices: Choices,
): SimulatedImage {
  const rule = rules.find(({ image }) => matchesPattern(image, reference));
  if (rule === undefined) throw new Error('no rule is for all images');
  const { pull, sizeBytes, pullFailure } = rule;
  const fails = pullFailure !== undefined && choices('pullFailure', node, reference).next() < pullFailure.share;
  return {
    sizeBytes,
    pullMs: draw(pull, choices('pull', node, reference)),
    ...(fails && {
      pullErrors: Array.from({ length: Math.min(pullFailure.times, mostFailures) }, () => ({
        message: pullFailure.message,
      })),
    }),
  };
}
