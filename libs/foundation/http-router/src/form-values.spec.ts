import { describe, expect, it } from '@jest/globals';
import { formValues } from './form-values.js';

const values = async (method: string, type: string, body: string): Promise<readonly string[]> => {
  const query = new URLSearchParams('a=query');
  const headers = { 'content-type': type };
  const form = await formValues({ method, headers, query, body: async () => Buffer.from(body) });
  return form.getAll('a');
};

describe('formValues', () => {
  const form = 'application/x-www-form-urlencoded';
  it.each([
    ['POST', form, ['body', 'query']],
    ['PUT', 'Application/X-www-form-urlencoded ; charset=utf-8', ['body', 'query']],
    ['GET', form, ['query']],
    ['POST', 'text/plain', ['query']],
  ])('%s with %s', async (method, type, expected) => {
    expect(await values(method, type, 'a=body')).toEqual(expected);
  });
});
