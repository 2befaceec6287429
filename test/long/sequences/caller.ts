/** A client of both interfaces, which interprets their responses. */
import { isDeepStrictEqual } from 'node:util';
import type { Reply, Wire } from '../fuzz/requests/wire.js';
import type { Person } from './model.js';

/** A response: an error, or the shown data, new ids or both. */
export interface Outcome {
  /** The last part of the error identifier, or a description of a malformed error. */
  refusal?: string;
  shown?: unknown;
  /** The ids of new records, in the order of the request. */
  made?: number[];
}

const URN = 'urn:service-org:api:v3:errors:';

/** The errors. `code` is the identifier in GraphQL. */
const refusals: {
  readonly [identifier: string]: { status: number; code: string; message?: string };
} = {
  NotFound: {
    status: 404,
    code: 'NOT_FOUND',
    message: 'The requested resource could not be found.',
  },
  MissingPermission: {
    status: 403,
    code: 'MISSING_PERMISSION',
    message: 'You are not authorized to access this resource.',
  },
  PropertyConstraintViolation: { status: 422, code: 'PROPERTY_CONSTRAINT_VIOLATION' },
  UpdateConflict: { status: 409, code: 'UPDATE_CONFLICT' },
  InvalidRequestBody: { status: 400, code: 'INVALID_REQUEST_BODY' },
};

export class Caller {
  constructor(
    private readonly wire: Wire,
    private readonly person: Person,
  ) {}

  /** @param read returns the shown data and the ids of new records in the body of a successful response */
  async rest(
    method: string,
    path: string,
    read: (body: any, reply: Reply) => Outcome,
    json?: unknown,
  ): Promise<Outcome> {
    const headers: { [name: string]: string } =
      json === undefined ? {} : { 'content-type': 'application/json' };
    return overRest(
      await this.#send(
        method,
        path,
        headers,
        json === undefined ? undefined : Buffer.from(JSON.stringify(json)),
      ),
      read,
    );
  }

  /** The multipart request of an upload. Without content: of a preparation. */
  async upload(
    path: string,
    metadata: object,
    content: string | undefined,
    read: (body: any) => Outcome,
  ): Promise<Outcome> {
    const form = new FormData();
    form.append('metadata', new Blob([JSON.stringify(metadata)], { type: 'application/json' }));
    if (content !== undefined) form.append('file', new Blob([content]), 'ignored');
    return overRest(await this.#sendForm(path, form), read);
  }

  async graphql(query: string, variables: object, read: (data: any) => Outcome): Promise<Outcome> {
    return overGraphql(
      await this.#send(
        'POST',
        '/graphql',
        { 'content-type': 'application/json' },
        Buffer.from(JSON.stringify({ query, variables })),
      ),
      read,
    );
  }

  /** A mutation with a file as `$file`. */
  async graphqlUpload(
    query: string,
    variables: object,
    content: string,
    read: (data: any) => Outcome,
  ): Promise<Outcome> {
    const form = new FormData();
    form.append('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
    form.append('map', JSON.stringify({ 0: ['variables.file'] }));
    form.append('0', new Blob([content]), 'ignored');
    return overGraphql(await this.#sendForm('/graphql', form), read);
  }

  /** A request of the protocol tus 1.0. Without a body nothing is sent with it. */
  async tus(
    method: string,
    path: string,
    headers: { [name: string]: string },
    content: string | undefined,
    read: (headers: Headers) => Outcome,
  ): Promise<Outcome> {
    const reply = await this.#send(
      method,
      path,
      {
        'tus-resumable': '1.0.0',
        ...(content !== undefined && { 'content-type': 'application/offset+octet-stream' }),
        ...headers,
      },
      content === undefined ? undefined : Buffer.from(content),
    );
    // A refused HEAD has no body.
    return method === 'HEAD' && reply.status === 404
      ? { refusal: 'NotFound' }
      : overRest(reply, () => read(reply.headers));
  }

  async #sendForm(path: string, form: FormData): Promise<Reply> {
    const encoded = new Response(form);
    const headers = {
      'content-type': encoded.headers.get('content-type')!,
      ...(path === '/graphql' && { 'apollo-require-preflight': '1' }),
    };
    return this.#send('POST', path, headers, Buffer.from(await encoded.arrayBuffer()));
  }

  #send(
    method: string,
    path: string,
    headers: { [name: string]: string },
    body?: Buffer,
  ): Promise<Reply> {
    const { key } = this.person;
    const authorized = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers };
    return this.wire.ask({
      operation: `${method} ${path}`,
      method,
      path,
      headers: authorized,
      ...(body && { body }),
      reads: method === 'GET',
    });
  }
}

function overRest(reply: Reply, read: (body: any, reply: Reply) => Outcome): Outcome {
  const { status, body, text } = reply;
  if (status < 400) return reading(() => read(body, reply), text);
  const { _type, errorIdentifier, message } = (body ?? {}) as {
    _type?: string;
    errorIdentifier?: string;
    message?: string;
  };
  const identifier = errorIdentifier?.startsWith(URN) ? errorIdentifier.slice(URN.length) : '';
  const known = refusals[identifier];
  // Hidden and missing records give the same error, so these bodies have nothing else.
  const sound =
    _type === 'Error' &&
    known?.status === status &&
    (known.message === undefined ||
      isDeepStrictEqual(body, { _type, errorIdentifier, message: known.message }));
  return { refusal: sound && message ? identifier : `${status} ${text}` };
}

function overGraphql({ status, body, text }: Reply, read: (data: any) => Outcome): Outcome {
  const { data, errors } = (body ?? {}) as {
    data?: any;
    errors?: {
      message: string;
      extensions: { code: string; errorIdentifier: string; status: number };
    }[];
  };
  if (status === 200 && errors === undefined) return reading(() => read(data), text);
  const { code, errorIdentifier = '', status: reported } = errors?.[0]?.extensions ?? {};
  const identifier = errorIdentifier.replace(URN, '');
  const known = refusals[identifier];
  const sound =
    known &&
    known.code === code &&
    known.status === reported &&
    (known.message === undefined || errors?.[0]?.message === known.message);
  return { refusal: sound ? identifier : `${status} ${text}` };
}

/** A successful response that cannot be read is reported completely. */
function reading(read: () => Outcome, text: string): Outcome {
  try {
    return read();
  } catch (error) {
    return {
      refusal: `an answer that cannot be read (${error instanceof Error ? error.message : String(error)}): ${text.slice(0, 2_000)}`,
    };
  }
}
