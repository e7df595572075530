import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { parseImageReference } from './image-reference.js';

// What distribution/reference v0.6 makes of image names: repository, tag and digest, or its error.
const vectors = JSON.parse(readFileSync(path.join(__dirname, 'upstream-images.json'), 'utf8')) as readonly [
  string,
  readonly string[] | string,
][];

it('reads image names, and refuses others, as upstream does', () => {
  expect(vectors.length).toBeGreaterThan(80);
  const read = vectors.map(([image]) => {
    const found = parseImageReference(image);
    return [image, 'fault' in found ? found.fault : [found.repository, found.tag, found.digest]];
  });
  expect(read).toEqual(vectors);
});
