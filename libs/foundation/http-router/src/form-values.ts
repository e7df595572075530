/** Go's limit for a form in a body. */
const maxFormBytes = 10 * 1024 * 1024;

export interface FormRequest {
  readonly method: string;
  readonly headers: { readonly 'content-type'?: string | undefined };
  readonly query: URLSearchParams;
  body(maxBytes: number): Promise<Uint8Array>;
}

/**
 * The values of a request's form: those of the body (POST, PUT and PATCH of `application/x-www-form-urlencoded`), then those of the
 * query. Source: Go net/http (Request.ParseForm).
 */
export async function formValues(request: FormRequest): Promise<URLSearchParams> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  const hasForm = ['POST', 'PUT', 'PATCH'].includes(request.method);
  if (!hasForm || type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return request.query;
  const body = new TextDecoder().decode(await request.body(maxFormBytes));
  return new URLSearchParams([...new URLSearchParams(body), ...request.query]);
}
