import { formOf } from '@podwright/api-machinery';
import type { Clock } from '@podwright/time';
import { represent } from '../printing/representation.js';
import type { ApiResponse, ResourceRequest } from './api-request.js';
import type { ObjectContents } from './object-content.js';
import { validateFields, withWarnings } from './field-validation.js';

/** Answers authorized requests for resources. */
export interface ResourceAnswers {
  answer(request: ResourceRequest): Promise<ApiResponse>;
}

/** Subresources whose answers are not API objects, so that they are not converted. */
const passedThrough = ['log', 'exec', 'attach', 'portforward', 'proxy'];

/** Validates the fields of request bodies, and converts answers to the form that the client accepts. */
export class NegotiatedRequests implements ResourceAnswers {
  constructor(
    private readonly requests: ResourceAnswers,
    private readonly contents: ObjectContents,
    private readonly clock: Clock,
  ) {}

  async answer(given: ResourceRequest): Promise<ApiResponse> {
    if (passedThrough.includes(given.target.subresource)) return this.requests.answer(given);
    const form = formOf(given.headers['accept']);
    const { request, warnings } = validateFields(this.contents.received(given));
    const plain = await this.requests.answer(request);
    const answer = represent(this.clock, form, request, plain);
    return withWarnings(this.contents.accepted(given.headers['accept'], answer), warnings);
  }
}
