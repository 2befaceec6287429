/** Compares every answer of the REST interface with its OpenAPI description. */
import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { profiles, type Profile } from '../../src/contract/profiles.js';
import type { Answer } from './app.js';

const BASE = '/api/v3';
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
/** Errors that occur before the operation, so no operation describes them. */
const outside: { [status: number]: string } = {
  404: 'NotFound',
  401: 'Unauthenticated',
  403: 'InsufficientScope',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  431: 'HeaderTooLarge',
};

interface Reference {
  $ref?: string;
}
interface Header {
  required?: boolean;
  schema: object;
}
interface Response {
  headers?: { [name: string]: Header & Reference };
  content?: { [type: string]: object };
}
export interface Operation {
  operationId: string;
  responses: { [status: string]: Response & Reference };
  'x-graphql'?: string | null;
  'x-graphql-reason'?: string;
}
export interface Description {
  paths: { [path: string]: { [method in (typeof methods)[number]]?: Operation } };
  components: { responses: { [name: string]: Response } };
}

/** Each operation as e.g. `GET /attachments/{id}`. */
export const operationsOf = ({ paths }: Description): [name: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): [string, Operation][] =>
      item[method] ? [[`${method.toUpperCase()} ${path}`, item[method]]] : [],
    ),
  );

/** The description that the program gives. `npm run generate` writes it. */
export const descriptionOf = ({ name }: Profile): Description =>
  JSON.parse(
    readFileSync(new URL(`../../openapi/generated/${name}.json`, import.meta.url), 'utf8'),
  ) as Description;

const misfit = (message: string) => new AssertionError({ message });

/** Whether a path can be decoded. A path that cannot is 404. */
function isText(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** A description with validators. Each is compiled at its first use. */
export class Contract {
  readonly document: Description;
  // Optimized code would take nearly twice as long to compile, and it runs a few times only.
  readonly #ajv = new Ajv2020({ strict: true, code: { optimize: false } });
  /** Path templates in the order of their priority: literal segments before parameters. */
  readonly #templates: { path: string; pattern: RegExp }[];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(description: Description) {
    this.document = description;
    addFormats.default(this.#ajv);
    // References are pointers into the document. Its members are no keywords of a schema.
    this.#ajv.addVocabulary(Object.keys(this.document));
    this.#ajv.addSchema(this.document, 'openapi', false, false);
    this.#templates = Object.keys(this.document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => ({
        path,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
      }));
  }

  /** @throws AssertionError with the part that does not fit */
  check(method: string, path: string, answer: Answer): void {
    // The service reads doubled slashes as single ones.
    const pathname = new URL(path, 'http://service').pathname.replace(/\/{2,}/g, '/');
    if (pathname !== BASE && !pathname.startsWith(`${BASE}/`)) return;
    const place = `${method} ${pathname} answered ${answer.status}`;
    const pointer = this.#responsePointer(method, pathname.slice(BASE.length) || '/', answer);
    if (typeof pointer === 'object') throw misfit(`${place}: ${pointer.problem}`);
    if (pointer !== '') this.#checkResponse(place, method, pointer, answer);
  }

  /** The pointer to the description of an answer. Empty for OPTIONS, which is no operation. */
  #responsePointer(
    method: string,
    path: string,
    { status, body }: Answer,
  ): string | { problem: string } {
    const template = this.#templates.find(({ pattern }) => pattern.test(path))?.path;
    if (method === 'OPTIONS' && (status === 204 || (status === 200 && template !== undefined)))
      return '';
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation =
      template === undefined ? undefined : this.document.paths[template]![verb as 'get'];
    // Every operation refuses query parameters that it does not have. HEAD has no body to tell.
    const isQuery =
      status === 400 &&
      (method === 'HEAD' || String(body?.errorIdentifier).endsWith(':InvalidQuery'));
    if (operation && isQuery) return '#/components/responses/InvalidQuery';
    if (operation?.responses[status])
      return `#/paths/${escaped(template!)}/${verb}/responses/${status}`;
    const early = status === 403 || status === 408 || status === 431;
    // An operation may refuse HEAD.
    const absent =
      (method === 'HEAD' && status === 405) ||
      (!operation &&
        (status === 401 || status === (template === undefined || !isText(path) ? 404 : 405)));
    if (early || absent) return `#/components/responses/${outside[status]}`;
    return {
      problem: operation
        ? `${operation.operationId} describes ${Object.keys(operation.responses).join(', ')} only`
        : 'no such operation is described',
    };
  }

  #checkResponse(place: string, method: string, start: string, answer: Answer): void {
    const [pointer, { headers = {}, content }] = this.#resolve<Response>(start);
    for (const [name, header] of Object.entries(headers))
      this.#checkHeader(place, name, header, answer);
    const type = answer.headers.get('content-type')?.split(';')[0]!.trim();
    if ((!content || method === 'HEAD') && answer.bytes.byteLength > 0)
      throw misfit(`${place}: a body where none is described`);
    if (!content) return;
    const media = content[type ?? ''];
    if (!media)
      throw misfit(
        `${place}: the content type is ${type}, described ${Object.keys(content).join(', ')}`,
      );
    if (method === 'HEAD' || !('schema' in media)) return;
    this.#validate(
      `${pointer}/content/${escaped(type!)}/schema`,
      answer.body,
      `${place}: the body does not fit`,
    );
  }

  #checkHeader(place: string, name: string, header: Header & Reference, { headers }: Answer): void {
    const [pointer, { required }] =
      header.$ref === undefined ? ['', header] : this.#resolve<Header>(header.$ref);
    const value = headers.get(name);
    if (value === null && required) throw misfit(`${place}: the header ${name} is missing`);
    if (value !== null)
      this.#validate(`${pointer}/schema`, value, `${place}: the header ${name} does not fit`);
  }

  /** The validator of the schema at a pointer, e.g. `#/components/schemas/User`. */
  validator(pointer: string): ValidateFunction {
    let validate = this.#validators.get(pointer);
    if (!validate)
      this.#validators.set(pointer, (validate = this.#ajv.compile({ $ref: `openapi${pointer}` })));
    return validate;
  }

  #validate(pointer: string, value: unknown, problem: string): void {
    const validate = this.validator(pointer);
    if (!validate(value))
      throw misfit(
        `${problem}: ${this.#ajv.errorsText(validate.errors, { dataVar: '' })}\n${JSON.stringify(value)}`,
      );
  }

  /** The value at a pointer, and its own pointer if the first one is a reference. */
  #resolve<Found>(pointer: string): [pointer: string, found: Found] {
    const found = pointer
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (at, token) => (at as { [name: string]: unknown })[unescaped(token)],
        this.document,
      ) as Found & Reference;
    return found.$ref === undefined ? [pointer, found] : this.#resolve(found.$ref);
  }
}

export const escaped = (name: string) =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
const unescaped = (token: string) =>
  decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');

const contracts = new Map<Profile['name'], Contract>();

export function contractOf(profile: Profile): Contract {
  let contract = contracts.get(profile.name);
  if (!contract) contracts.set(profile.name, (contract = new Contract(descriptionOf(profile))));
  return contract;
}

/** Without a profile, the URNs of the answer decide. Documents without URNs may fit either profile. */
export function validateAnswer(
  method: string,
  path: string,
  answer: Answer,
  profile?: Profile,
): void {
  const spoken =
    profile ??
    Object.values(profiles).find(({ urnWord }) => answer.text.includes(`urn:${urnWord}:api:v3:`));
  try {
    contractOf(spoken ?? profiles.standard).check(method, path, answer);
  } catch (error) {
    if (spoken) throw error;
    if (!fits(() => contractOf(profiles.openproject).check(method, path, answer))) throw error;
  }
}

function fits(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
