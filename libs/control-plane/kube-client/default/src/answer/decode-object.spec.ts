import { expect, it } from '@jest/globals';
import { pods, subjectAccessReviews, tokenReviews } from '@podwright/kube-client-interface';
import { decodeObject } from './decode-object.js';

it('wants a name of what is stored, and none of a review, which never is', () => {
  const body = Buffer.from(JSON.stringify({ metadata: {}, status: { allowed: true } }));
  expect(decodeObject(body, subjectAccessReviews)).toMatchObject({ status: { allowed: true } });
  expect(decodeObject(body, tokenReviews)).toMatchObject({ metadata: {} });
  expect(() => decodeObject(body, pods)).toThrow('the server answered with a Pod without metadata.name');
});
