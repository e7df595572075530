import { expect, it } from '@jest/globals';
import { pods, subjectAccessReviews, tokenReviews } from '@podwright/kube-client-interface';
import { jsonFormat } from '../content/json-format.js';
import { decodeObject } from './decode-object.js';

it('wants a name of what is stored, and none of a review, which never is', () => {
  const body = Buffer.from(JSON.stringify({ metadata: {}, status: { allowed: true } }));
  const answer = { body, format: jsonFormat };
  expect(decodeObject(answer, subjectAccessReviews)).toMatchObject({ status: { allowed: true } });
  expect(decodeObject(answer, tokenReviews)).toMatchObject({ metadata: {} });
  expect(() => decodeObject(answer, pods)).toThrow('the server answered with a Pod without metadata.name');
});
