/** Adds the example requests and their recorded answers to the description. */
import type { Profile } from '../../src/contract/profiles.js';
import type { ExampleAnswer } from './answer.js';
import { exampleAnswers } from './answers.js';
import { exampleRequests, type ExampleRequest } from './requests.js';

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
  const requests = exampleRequests(profile);
  const answers = exampleAnswers[profile.name];
  const shown = (method: string, template: string, operation: Operation) => {
    const request = requests[operation.operationId];
    if (!request) return operation;
    return withExample(method, template, operation, request, answers[operation.operationId]);
  };
  return Object.fromEntries(
    Object.entries(paths as { [template: string]: PathItem }).map(([template, item]) => {
      const { parameters, ...operations } = item;
      const first = requests[Object.values(operations)[0]?.operationId ?? ''];
      return [
        template,
        {
          ...(parameters && { parameters: withValues(template, parameters, first) }),
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
  request: ExampleRequest,
  answer: ExampleAnswer | undefined,
): Operation {
  const { parameters, requestBody, responses } = operation;
  const summary = `${method.toUpperCase()} /api/v3${request.path === '/' ? '' : request.path}`;
  const status = String(answer?.status);
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
      ...(answer?.type !== undefined &&
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
  request: ExampleRequest | undefined,
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
