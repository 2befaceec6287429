/** Adds the examples to the description. A test has recorded them in the folder `examples`. */
import { readFileSync } from 'node:fs';
import type { Profile } from '../src/contract/profiles.js';

/** A request with the answer of a real server. */
export interface Example {
  request: {
    /** Below `/api/v3`, with its query. */
    path: string;
    /** The JSON document, the parts of the form by name, or the text. */
    body?: object | string;
  };
  answer: {
    status: number;
    /** Media type; absent without a body. */
    type?: string;
    body?: unknown;
  };
}
export interface Examples {
  [operationId: string]: Example;
}

export const examplesFile = ({ name }: Profile): URL =>
  new URL(`examples/${name}.json`, import.meta.url);

export const examplesOf = (profile: Profile): Examples =>
  JSON.parse(readFileSync(examplesFile(profile), 'utf8')) as Examples;

interface Content {
  [type: string]: object;
}
interface Parameter {
  name: string;
  in: string;
  schema: { type: string };
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: { [status: string]: { content?: Content } };
}
type PathItem = { parameters?: Parameter[] } & { [method: string]: Operation };

/**
 * Adds the examples to all operations. A test checks that every operation has one.
 */
export function withExamples(profile: Profile, paths: { [template: string]: object }): object {
  const examples = examplesOf(profile);
  const shown = (method: string, template: string, operation: Operation) => {
    const example = examples[operation.operationId];
    return example ? withExample(method, template, operation, example) : operation;
  };
  return Object.fromEntries(
    Object.entries(paths as { [template: string]: PathItem }).map(([template, item]) => {
      const { parameters, ...operations } = item;
      const first = examples[Object.values(operations)[0]?.operationId ?? ''];
      return [
        template,
        {
          ...(parameters && { parameters: withValues(template, parameters, first?.request) }),
          ...Object.fromEntries(
            Object.entries(operations).map(([method, operation]) => [
              method,
              shown(method, template, operation),
            ]),
          ),
        },
      ];
    }),
  );
}

function withExample(
  method: string,
  template: string,
  operation: Operation,
  { request, answer }: Example,
): Operation {
  const { parameters, requestBody, responses } = operation;
  const summary = `${method.toUpperCase()} /api/v3${request.path === '/' ? '' : request.path}`;
  const status = String(answer.status);
  const response = responses[status];
  return {
    ...operation,
    ...(parameters && { parameters: withValues(template, parameters, request) }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: showing(requestBody.content, Object.keys(requestBody.content), {
          summary,
          value: request.body,
        }),
      },
    }),
    responses: {
      ...responses,
      ...(answer.type !== undefined &&
        response?.content && {
          [status]: {
            ...response,
            content: showing(response.content, [answer.type], { summary, value: answer.body }),
          },
        }),
    },
  };
}

/** Adds an example to the given media types. */
const showing = (content: Content, types: string[], example: object): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      types.includes(type) ? { ...media, examples: { example } } : media,
    ]),
  );

/** Adds the values of a request as examples to its parameters. */
function withValues(
  template: string,
  parameters: Parameter[],
  request: Example['request'] | undefined,
): Parameter[] {
  const { pathname, searchParams } = new URL(request?.path ?? '/', 'http://service');
  const segments = pathname.split('/');
  const valueOf = ({ name, in: place }: Parameter): string | null =>
    place === 'path'
      ? (segments[template.split('/').indexOf(`{${name}}`)] ?? null)
      : place === 'query'
        ? searchParams.get(name)
        : null;
  return parameters.map((parameter) => {
    const value = valueOf(parameter);
    if (value === null) return parameter;
    const example: unknown = parameter.schema.type === 'string' ? value : JSON.parse(value);
    return { ...parameter, example };
  });
}
